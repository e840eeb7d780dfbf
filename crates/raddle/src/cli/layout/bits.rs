//! Layouts as `--view=bits` prints them: `lane[n1 n2 m0 m1 m2] slot[n0 m3] -> m 16 x n 8`.
//!
//! Each token stands for a bit of the number in front of the brackets, or for a digit, least significant first; see
//! `raddle_layout::picture::bits`.

use raddle::Report;
use raddle_ir::{Code, Diag};
use raddle_layout::linear::dims_of;
use raddle_layout::{BitForm, Column, Digit, Hardware, Kind, Layout, OddDigit};

/// Whether a text is written like that.
pub fn is_spelled(text: &str) -> bool {
    Hardware::ALL.iter().any(|hardware| text.trim().starts_with(&format!("{}[", hardware.name())))
}

/// The layout that such a line says.
pub fn read(text: &str) -> Result<Layout, Report> {
    let (numbers, dims) = text.split_once("->").ok_or_else(|| bad("`->` is missing"))?;
    let dims = dims_of(dims).map_err(|why| bad(&why))?;
    let (names, shape): (Vec<&str>, Vec<i64>) = dims.into_iter().unzip();
    let mut form = BitForm { shape: shape.clone(), columns: Vec::new(), odd: Vec::new() };
    let mut digits: [Vec<Digit>; 4] = Default::default();
    let mut is_swizzled = false;
    let mut rest = numbers.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('[').ok_or_else(|| bad("`[` is missing"))?;
        let (tokens, after) = after.split_once(']').ok_or_else(|| bad("`]` is missing"))?;
        let hardware = Hardware::ALL.into_iter().find(|hardware| hardware.name() == name.trim());
        let hardware =
            hardware.ok_or_else(|| bad(&format!("`{}` is not `lane`, `slot` or `subgroup`", name.trim())))?;
        if !digits[hardware as usize].is_empty() {
            return Err(bad(&format!("`{}` stands there twice", hardware.name())));
        }
        let mut step = 1i64;
        for token in tokens.split_whitespace() {
            // The bits of a swizzle: each flips several.
            let parts: Vec<Digit> = token
                .split('^')
                .map(|part| digit(part, &names).ok_or_else(|| bad(&format!("`{token}` is not a bit or a digit"))))
                .collect::<Result<_, _>>()?;
            is_swizzled |= parts.len() > 1;
            add(&mut form, hardware, step, &parts);
            let [ref first, ..] = parts[..] else { continue };
            step = step.checked_mul(first.extent).ok_or_else(|| bad("a number has too many digits"))?;
            digits[hardware as usize].push(first.clone());
        }
        rest = after.trim_start().trim_start_matches(',').trim_start();
    }
    let layout = if is_swizzled { Layout::from_f2(&form) } else { Layout::of_digits(shape, digits) };
    layout.map_err(|error| super::misfit(error.to_string()))
}

fn bad(why: &str) -> Report {
    let diag = Diag::nowhere(Code::BadInput, format!("not a layout in bits: {why}"));
    Report::nowhere(diag.help("write it as `--view=bits` prints it: `lane[n1 n2 m0 m1 m2] slot[n0 m3] -> m 16 x n 8`"))
}

/// One part of a token: `m3`, `m3*12`, `0`, `x*3`, `(2m+3n)*5`.
fn digit(token: &str, names: &[&str]) -> Option<Digit> {
    let (moved, extent) = match token.rsplit_once('*') {
        Some((moved, extent)) => (moved, extent.parse().ok().filter(|&extent: &i64| extent > 1)?),
        None => (token, 2),
    };
    let still = |kind| Some(Digit::still(extent, names.len(), kind));
    match moved {
        "0" => return still(Kind::Replicate),
        "x" => return still(Kind::Unused),
        "+" => return still(Kind::Partial),
        _ => {}
    }
    let mut weights = vec![0i64; names.len()];
    if let Some(sum) = moved.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        for part in sum.split('+') {
            let end = part.find(|c: char| !c.is_ascii_digit())?;
            let d = names.iter().position(|name| *name == &part[end..])?;
            weights[d] = part[..end].parse().ok()?;
        }
    } else {
        // The longest name, since names may end with digits.
        let named = names.iter().enumerate().filter_map(|(d, name)| Some((d, name.len(), moved.strip_prefix(*name)?)));
        let bits = named.filter_map(|(d, length, bit)| Some((length, d, bit.parse::<u32>().ok()?)));
        let (_, d, bit) = bits.max()?;
        weights[d] = 1i64.checked_shl(bit).filter(|&weight| weight > 0)?;
    }
    Some(Digit { extent, weights, kind: Kind::Shard })
}

/// Adds a token to the form of a swizzled layout.
fn add(form: &mut BitForm, hardware: Hardware, step: i64, parts: &[Digit]) {
    let twos = |extent: i64| extent.trailing_zeros();
    let (mut image, mut is_odd) = (0, false);
    for Digit { extent, weights, .. } in parts {
        let mut place = 0;
        for (&weight, &of) in weights.iter().zip(&form.shape).rev() {
            let low = (1u64.checked_shl(twos(of)).unwrap_or(0)).wrapping_sub(1);
            is_odd |= *extent != 2 || weight as u64 & !low != 0;
            image ^= (weight as u64 & low).checked_shl(place).unwrap_or(0);
            place += twos(of);
        }
    }
    let [Digit { extent, weights, kind }, ..] = parts else { return };
    if is_odd {
        let weights = weights.iter().zip(&form.shape).map(|(weight, &of)| weight >> twos(of)).collect();
        form.odd.push(OddDigit { hardware, step, extent: *extent, weights, kind: *kind });
    } else {
        form.columns.push(Column { hardware, step, image, kind: *kind });
    }
}
