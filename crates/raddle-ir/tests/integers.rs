//! Integers of any width are read to the last digit, kept, and printed.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_ir::{PrintOptions, parse, print};

/// The literal that a constant is printed with.
fn printed(literal: &str, ty: &str) -> Result<String, String> {
    let text = format!("func.func @f() {{\n  %0 = arith.constant {literal} : {ty}\n  return\n}}");
    let ir = parse(&text).map_err(|diags| diags[0].message.clone())?;
    let text = print(&ir, &PrintOptions::default());
    let back = print(&parse(&text).unwrap(), &PrintOptions::default());
    assert_eq!(text, back);
    let line = text.lines().find(|line| line.contains("arith.constant")).unwrap();
    Ok(line.split_once("arith.constant ").unwrap().1.to_owned())
}

/// Both readings of the bits are written in the signed one; what needs more bits is refused.
#[test]
fn literals_of_any_width_are_read() {
    let power = |bits: u32| {
        // 2^bits in decimal, digit by digit.
        let mut digits = vec![1u8];
        for _ in 0..bits {
            let mut carry = 0;
            for digit in &mut digits {
                (*digit, carry) = ((*digit * 2 + carry) % 10, (*digit * 2 + carry) / 10);
            }
            if carry > 0 {
                digits.push(carry);
            }
        }
        digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect::<String>()
    };
    for width in [65u32, 100, 127, 128, 129, 256, 1000] {
        let ty = format!("i{width}");
        let (half, all) = (power(width - 1), power(width));
        assert_eq!(printed(&half, &ty), Ok(format!("-{half} : {ty}")), "the highest bit is the sign");
        assert_eq!(printed(&format!("-{half}"), &ty), Ok(format!("-{half} : {ty}")));
        assert_eq!(printed("-1", &ty), Ok(format!("-1 : {ty}")));
        let ones =
            format!("0x{}{}", ["f", "1", "3", "7"][width as usize % 4], "f".repeat(width.div_ceil(4) as usize - 1));
        assert_eq!(printed(&ones, &ty), Ok(format!("-1 : {ty}")), "{ones}");
        let refused = Err(format!("integer constant out of range for attribute: it does not fit {width} bits"));
        assert_eq!(printed(&all, &ty), refused);
        assert_eq!(printed(&format!("-{all}"), &ty), refused);
        assert_eq!(printed(&"9".repeat(4000), &ty), refused);
        let list = format!("dense<[-{half}, 1, -1]>");
        let vector = format!("vector<3x{ty}>");
        assert_eq!(printed(&list, &vector), Ok(format!("{list} : {vector}")));
        assert_eq!(printed("dense<-2>", &vector), Ok(format!("dense<-2> : {vector}")));
    }
    // The longest ones come back; longer ones are refused before anything is computed.
    let longest = printed(&format!("0x7{}", "f".repeat(15_999)), "i100000").unwrap();
    let decimal = longest.split_once(" : ").unwrap().0;
    assert_eq!(printed(decimal, "i100000"), Ok(longest.clone()));
    for (digits, radix) in [("9".repeat(20_001), 10), (format!("0x{}", "f".repeat(16_001)), 16)] {
        let message = printed(&digits, "i16000000").unwrap_err();
        assert!(message.ends_with(&format!("digits to the base of {radix}")), "{message}");
    }
}
