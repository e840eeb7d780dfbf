//! `printf` of kernels: a format in memory, and arguments that lie one behind the other, each at a multiple of its size.

use super::access::Memory;
use super::memory::{Place, place};
use super::warp::Warp;

/// Characters of a format or a text, at most.
const TEXT_MAX: usize = 4096;

/// The text that a lane prints.
pub(super) fn formatted(memory: &Memory, warp: &mut Warp, lane: usize, format: u64, args: u64) -> String {
    let Some(format) = memory.text(format, TEXT_MAX) else { return "(a format that is not in memory)".to_owned() };
    let mut out = String::new();
    let mut at = args;
    let mut next = |warp: &mut Warp, bytes: u64| -> Option<u64> {
        at = at.next_multiple_of(bytes);
        let Place::Local { offset } = place(at) else { return None };
        let found = warp.local_memory(lane, offset, bytes as usize)?;
        at += bytes;
        let mut word = [0; 8];
        word[..bytes as usize].copy_from_slice(found);
        Some(u64::from_le_bytes(word))
    };
    let mut rest = format.as_str();
    while let Some(percent) = rest.find('%') {
        out.push_str(&rest[..percent]);
        let spec = &rest[percent + 1..];
        let Some(end) =
            spec.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | ' ' | '#' | '.' | 'l' | 'h' | 'j' | 'z' | 't'))
        else {
            out.push_str(&rest[percent..]);
            return out;
        };
        let (flags, conversion) = (&spec[..end], spec[end..].chars().next().unwrap_or('%'));
        rest = &spec[end + conversion.len_utf8()..];
        let is_wide = flags.contains(['l', 'j', 'z', 't']);
        let text = match conversion {
            '%' => "%".to_owned(),
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' => match next(warp, if is_wide { 8 } else { 4 }) {
                Some(word) => integer(word, is_wide, conversion, flags),
                None => MISSING.to_owned(),
            },
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => match next(warp, 8) {
                Some(word) => float(f64::from_bits(word), conversion, flags),
                None => MISSING.to_owned(),
            },
            'p' => next(warp, 8).map_or(MISSING.to_owned(), |word| format!("{word:#x}")),
            's' => match next(warp, 8) {
                Some(word) => memory.text(word, TEXT_MAX).unwrap_or_else(|| "(null)".to_owned()),
                None => MISSING.to_owned(),
            },
            other => format!("%{flags}{other}"),
        };
        out.push_str(&padded(&text, flags, conversion));
    }
    out.push_str(rest);
    out
}

/// What stands for an argument that is not in memory.
const MISSING: &str = "(no argument)";

fn precision(flags: &str) -> Option<usize> {
    let digits = flags.split_once('.')?.1;
    Some(digits.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0).min(TEXT_MAX))
}

fn integer(word: u64, is_wide: bool, conversion: char, flags: &str) -> String {
    let signed = if is_wide { word as i64 } else { i64::from(word as u32 as i32) };
    let prefix = if flags.contains('#') { ["0x", "0X", "0"] } else { [""; 3] };
    let digits = match conversion {
        'c' => return char::from(word as u8).to_string(),
        'x' => format!("{}{word:x}", prefix[0]),
        'X' => format!("{}{word:X}", prefix[1]),
        'o' => format!("{}{word:o}", prefix[2]),
        'u' => word.to_string(),
        _ => signed.unsigned_abs().to_string(),
    };
    let digits = format!("{}{digits}", "0".repeat(precision(flags).unwrap_or(0).saturating_sub(digits.len())));
    match conversion {
        'd' | 'i' => format!("{}{digits}", sign(signed < 0, flags)),
        _ => digits,
    }
}

fn sign(is_negative: bool, flags: &str) -> &'static str {
    match () {
        () if is_negative => "-",
        () if flags.contains('+') => "+",
        () if flags.contains(' ') => " ",
        () => "",
    }
}

fn float(x: f64, conversion: char, flags: &str) -> String {
    let sign = sign(x.is_sign_negative(), flags);
    let size = x.abs();
    let digits = precision(flags).unwrap_or(6);
    let text = match conversion.to_ascii_lowercase() {
        _ if !x.is_finite() => if x.is_nan() { "nan" } else { "inf" }.to_owned(),
        'f' => format!("{size:.digits$}"),
        'e' => scientific(size, digits),
        'g' => {
            let digits = digits.max(1);
            let exponent: i32 =
                scientific(size, digits - 1).rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0);
            let short = |text: String| match text.split_once('e') {
                _ if flags.contains('#') || !text.contains('.') => text,
                Some((mantissa, exponent)) => {
                    format!("{}e{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
                }
                None => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            };
            if exponent < -4 || exponent >= digits as i32 {
                short(scientific(size, digits - 1))
            } else {
                short(format!("{size:.*}", (digits as i32 - 1 - exponent) as usize))
            }
        }
        _ => hexadecimal(size),
    };
    let text = if conversion.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text };
    format!("{sign}{text}")
}

/// As C spells it: an exponent of a sign and at least two digits.
fn scientific(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{mantissa}e{sign}{exponent:0>2}")
}

fn hexadecimal(x: f64) -> String {
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    match exponent {
        0 if fraction == 0 => "0x0p+0".to_owned(),
        0 => format!("0x0{point}{digits}p-1022"),
        _ => format!("0x1{point}{digits}p{:+}", exponent - 1023),
    }
}

/// Filled up to the width that the flags state.
fn padded(text: &str, flags: &str, conversion: char) -> String {
    let before = flags.split('.').next().unwrap_or_default();
    let before = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let marks = before.len() - before.trim_start_matches(['-', '+', ' ', '#', '0']).len();
    let (marks, width) = before.split_at(marks);
    let width = width.parse::<usize>().unwrap_or(0).min(TEXT_MAX);
    let fill = width.saturating_sub(text.chars().count());
    let is_number = !matches!(conversion, 'c' | 's' | 'p' | '%');
    if marks.contains('-') {
        format!("{text}{}", " ".repeat(fill))
    } else if marks.contains('0') && is_number && text.ends_with(|c: char| c.is_ascii_digit()) {
        let signs = text.len() - text.trim_start_matches(['-', '+', ' ']).len();
        format!("{}{}{}", &text[..signs], "0".repeat(fill), &text[signs..])
    } else {
        format!("{}{text}", " ".repeat(fill))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers look as C's `printf` prints them.
    #[test]
    fn numbers_are_printed_as_in_c() {
        let int = |word: i64, conversion, flags: &str| {
            padded(
                &integer(
                    word as u64 & if flags.contains('l') { u64::MAX } else { 0xffff_ffff },
                    flags.contains('l'),
                    conversion,
                    flags,
                ),
                flags,
                conversion,
            )
        };
        assert_eq!(int(-42, 'd', ""), "-42");
        assert_eq!(int(-42, 'd', "06"), "-00042");
        assert_eq!(int(42, 'd', "-6"), "42    ");
        assert_eq!(int(42, 'd', "+.4"), "+0042");
        assert_eq!(int(-1, 'u', ""), "4294967295");
        assert_eq!(int(-1, 'x', "#"), "0xffffffff");
        assert_eq!(int(-1, 'd', "ll"), "-1");
        let real = |x: f64, conversion, flags: &str| padded(&float(x, conversion, flags), flags, conversion);
        assert_eq!(real(1.5, 'f', ""), "1.500000");
        assert_eq!(real(-1.5, 'f', "08.2"), "-0001.50");
        assert_eq!(real(12345.678, 'e', ".3"), "1.235e+04");
        assert_eq!(real(0.0001, 'g', ""), "0.0001");
        assert_eq!(real(1e10, 'g', ""), "1e+10");
        assert_eq!(real(100.0, 'g', ""), "100");
        assert_eq!(real(f64::INFINITY, 'f', "5"), "  inf");
        assert_eq!(real(-0.75, 'a', ""), "-0x1.8p-1");
    }
}
