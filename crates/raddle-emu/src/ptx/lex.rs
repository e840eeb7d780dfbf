//! PTX text to tokens, each with its place in the text.
//!
//! A word that begins with a dot (`.global`, `.L1::evict_first`, `.m16n8k16`) is one token: opcodes, directives and
//! types are sequences of such words. Comments and blanks vanish.

use raddle_ir::{Code, Diag, Span};

/// One token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// `add`, `%r1`, `$L__BB0_1`; also `_`.
    Word(String),
    /// `.global`, without its dot.
    Dotted(String),
    /// An integer, as 64 bits.
    Int(u64),
    /// The bits of an `f32` constant, `0f3F800000`.
    Single(u32),
    /// An `f64` constant, in bits or in decimal digits.
    Double(f64),
    /// The text between quotation marks.
    Text(String),
    /// A character that stands for itself.
    Sign(char),
    /// An operator of two characters.
    Operator(&'static str),
}

/// Operators of two characters.
const OPERATORS: [&str; 8] = ["<<", ">>", "<=", ">=", "==", "!=", "&&", "||"];

/// A token and where it stands.
pub(super) type Placed = (Token, Span);

/// All tokens of a text.
pub(super) fn lex(text: &str) -> Result<Vec<Placed>, Diag> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let token = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0 => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |n| at + n);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..].find("*/");
                let end = end.ok_or_else(|| error(Span::new(at, at + 2), "a comment without an end"))?;
                at += end + 4;
                continue;
            }
            b'"' => {
                let end = text[at + 1..].find('"');
                let end = end.ok_or_else(|| error(Span::new(at, at + 1), "a string without an end"))?;
                at += end + 2;
                Token::Text(text[start + 1..at - 1].to_owned())
            }
            b'0'..=b'9' => {
                at = end_of(bytes, at, is_number_byte);
                // An exponent may have a sign.
                if matches!(bytes[at - 1], b'e' | b'E')
                    && bytes[start..at].contains(&b'.')
                    && matches!(bytes.get(at), Some(b'+' | b'-'))
                {
                    at = end_of(bytes, at + 1, is_number_byte);
                }
                number(&text[start..at]).ok_or_else(|| {
                    error(Span::new(start, at), &format!("`{}` is not a number of PTX", &text[start..at]))
                })?
            }
            b'.' if bytes.get(at + 1).is_some_and(|&next| is_word_byte(next)) => {
                at = end_of(bytes, at + 1, is_word_byte);
                while text[at..].starts_with("::") {
                    at = end_of(bytes, at + 2, is_word_byte);
                }
                Token::Dotted(text[start + 1..at].to_owned())
            }
            b'$' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'%'
                if byte != b'%' || bytes.get(at + 1).is_some_and(|&next| is_word_byte(next)) =>
            {
                at = end_of(bytes, at + 1, is_word_byte);
                Token::Word(text[start..at].to_owned())
            }
            _ if let Some(operator) = OPERATORS.iter().find(|operator| text[at..].starts_with(*operator)) => {
                at += 2;
                Token::Operator(operator)
            }
            byte if byte.is_ascii_graphic() => {
                at += 1;
                Token::Sign(char::from(byte))
            }
            _ => {
                let end = text.ceil_char_boundary(at + 1);
                return Err(error(Span::new(at, end), "a character that is not part of PTX"));
            }
        };
        tokens.push((token, Span::new(start, at)));
    }
    Ok(tokens)
}

/// An error in the text.
pub(super) fn error(span: Span, message: &str) -> Diag {
    Diag::error(Code::PtxSyntax, span, message)
}

fn end_of(bytes: &[u8], from: usize, part: fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|&byte| !part(byte)).map_or(bytes.len(), |n| from + n)
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

fn is_number_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'.'
}

/// `12`, `0x1F`, `0b101`, `017`, `1U`, `0f3F800000`, `0d3FF0000000000000`, `1.5e3`.
fn number(text: &str) -> Option<Token> {
    let hex = |digits: &str, n: usize| (digits.len() == n).then(|| u64::from_str_radix(digits, 16).ok()).flatten();
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0f") {
        return Some(Token::Single(hex(digits, 8)? as u32));
    }
    if let Some(digits) = lower.strip_prefix("0d") {
        return Some(Token::Double(f64::from_bits(hex(digits, 16)?)));
    }
    if lower.contains('.') || (lower.contains('e') && !lower.starts_with("0x")) {
        return Some(Token::Double(lower.parse().ok()?));
    }
    let digits = lower.strip_suffix('u').unwrap_or(&lower);
    let value = if let Some(digits) = digits.strip_prefix("0x") {
        u64::from_str_radix(digits, 16)
    } else if let Some(digits) = digits.strip_prefix("0b") {
        u64::from_str_radix(digits, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    Some(Token::Int(value.ok()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(text).unwrap().into_iter().map(|placed| placed.0).collect()
    }

    /// Words with `::` are one token, and a dot that a word follows belongs to it.
    #[test]
    fn opcodes_are_words_with_dots() {
        let word = |text: &str| Token::Word(text.into());
        let dotted = |text: &str| Token::Dotted(text.into());
        assert_eq!(
            tokens("ld.global.L1::evict_first.v4 %r1, // x\n %tid.x;"),
            [
                word("ld"),
                dotted("global"),
                dotted("L1::evict_first"),
                dotted("v4"),
                word("%r1"),
                Token::Sign(','),
                word("%tid"),
                dotted("x"),
                Token::Sign(';')
            ]
        );
    }

    /// Every spelling of a number.
    #[test]
    fn numbers_are_read_in_every_base() {
        assert_eq!(
            tokens("12 0x1F 0b101 017 7U 0f3F800000 0d3FF0000000000000 1.5e-3 8.4"),
            [
                Token::Int(12),
                Token::Int(31),
                Token::Int(5),
                Token::Int(15),
                Token::Int(7),
                Token::Single(0x3f80_0000),
                Token::Double(1.0),
                Token::Double(1.5e-3),
                Token::Double(8.4)
            ]
        );
        assert!(lex("0x").is_err() && lex("0f12").is_err() && lex("99999999999999999999").is_err());
    }
}
