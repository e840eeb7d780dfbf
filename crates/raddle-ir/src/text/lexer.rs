//! The lexer: bytes to tokens, one at a time, without copying.
//!
//! MLIR's tokens depend on context in one place: `4x8xf32` is a list of extents inside a type and would be an integer
//! and a word elsewhere. The reader therefore asks for extents by their own function and moves the lexer itself.

use crate::diag::Span;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// End of text.
    Eof,
    /// A byte that starts no token, or a string without an end.
    Error,
    /// `word`, `arith.addf`
    Word,
    /// `%name`, with the sign.
    Value,
    /// `^name`, with the sign.
    Block,
    /// `#name`, with the sign.
    Hash,
    /// `!name`, with the sign.
    Bang,
    /// `@name` or `@"name"`, with the sign.
    At,
    /// `12`, `0xff`
    Int,
    /// `1.0`, `1.0e-3`
    Float,
    /// `"text"`, with the quotes.
    Str,
    /// `->`
    Arrow,
    /// `::`
    Path,
    /// `...`
    Dots,
    /// `==`
    Equals,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `{-#`
    OpenMeta,
    /// `#-}`
    CloseMeta,
    /// One byte of punctuation.
    Punct(u8),
}

/// A token: what it is, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// What a word starts with.
const START: u8 = 1;
/// Letters, digits, `_`, `$`, `.`: what a word may go on with.
const WORD: u8 = 2;
/// `0` to `9`
const DIGIT: u8 = 4;

/// The sets that each byte is in.
const SETS: [u8; 256] = {
    let mut sets = [0; 256];
    let mut at = 0;
    while at < sets.len() {
        let byte = at as u8;
        if byte.is_ascii_alphabetic() || byte == b'_' {
            sets[at] = START | WORD;
        } else if byte.is_ascii_digit() {
            sets[at] = DIGIT | WORD;
        } else if matches!(byte, b'$' | b'.') {
            sets[at] = WORD;
        }
        at += 1;
    }
    sets
};

fn is_in(set: u8, byte: Option<&u8>) -> bool {
    byte.is_some_and(|&byte| SETS[byte as usize] & set != 0)
}

/// The end of the bytes of a set from `at` on.
fn scan(src: &[u8], mut at: usize, set: u8) -> usize {
    while is_in(set, src.get(at)) {
        at += 1;
    }
    at
}

/// The end of a name behind `%`, `^`, `#` or `!`: a word in which `-` may stand, but not where it starts an arrow.
fn scan_name(src: &[u8], mut at: usize) -> usize {
    loop {
        at = scan(src, at, WORD);
        if src.get(at) != Some(&b'-') || src.get(at + 1) == Some(&b'>') {
            return at;
        }
        at += 1;
    }
}

/// The token that starts at or after `at`.
pub(crate) fn next(src: &[u8], mut at: usize) -> Token {
    at = skip_space(src, at);
    let start = at;
    let token = |kind, end| Token { kind, start, end };
    let Some(&byte) = src.get(at) else { return token(Kind::Eof, start) };
    let follows = |text: &[u8]| src[start..].starts_with(text);
    match byte {
        b if is_in(START, Some(&b)) => token(Kind::Word, scan(src, at + 1, WORD)),
        b'0'..=b'9' => number(src, at),
        b'"' => string(src, at, start, Kind::Str),
        b'@' if src.get(at + 1) == Some(&b'"') => string(src, at + 1, start, Kind::At),
        b'@' => {
            let end = scan(src, at + 1, WORD);
            token(if is_in(START, src.get(at + 1)) { Kind::At } else { Kind::Error }, end)
        }
        b'#' if follows(b"#-}") => token(Kind::CloseMeta, at + 3),
        b'%' | b'^' | b'#' | b'!' => {
            let end = scan_name(src, at + 1);
            let kind = match byte {
                b'%' => Kind::Value,
                b'^' => Kind::Block,
                b'#' => Kind::Hash,
                _ => Kind::Bang,
            };
            if end > at + 1 || matches!(byte, b'!' | b'#') { token(kind, end) } else { token(Kind::Error, end) }
        }
        b'-' if follows(b"->") => token(Kind::Arrow, at + 2),
        b':' if follows(b"::") => token(Kind::Path, at + 2),
        b'.' if follows(b"...") => token(Kind::Dots, at + 3),
        b'=' if follows(b"==") => token(Kind::Equals, at + 2),
        b'>' if follows(b">=") => token(Kind::AtLeast, at + 2),
        b'<' if follows(b"<=") => token(Kind::AtMost, at + 2),
        b'{' if follows(b"{-#") => token(Kind::OpenMeta, at + 3),
        b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b':' | b'=' | b'-' | b'+' | b'*' | b'?'
        | b'|' | b'/' | b'.' => token(Kind::Punct(byte), at + 1),
        _ => {
            // One whole character, so that the span can be sliced.
            let mut end = at + 1;
            while end < src.len() && src[end] & 0xC0 == 0x80 {
                end += 1;
            }
            token(Kind::Error, end)
        }
    }
}

/// Where the next token starts: behind spaces, which NUL is among as in MLIR, and `//` comments.
pub(crate) fn skip_space(src: &[u8], mut at: usize) -> usize {
    loop {
        match src.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r' | 0) => at += 1,
            Some(b'/') if src.get(at + 1) == Some(&b'/') => {
                while at < src.len() && src[at] != b'\n' {
                    at += 1;
                }
            }
            _ => return at,
        }
    }
}

fn number(src: &[u8], start: usize) -> Token {
    if src[start] == b'0' && src.get(start + 1) == Some(&b'x') && src.get(start + 2).is_some_and(u8::is_ascii_hexdigit)
    {
        let digits = src[start + 2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        return Token { kind: Kind::Int, start, end: start + 2 + digits };
    }
    let mut end = scan(src, start, DIGIT);
    if src.get(end) != Some(&b'.') {
        return Token { kind: Kind::Int, start, end };
    }
    end = scan(src, end + 1, DIGIT);
    if matches!(src.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(src.get(end + 1), Some(b'+' | b'-')));
        if src.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = scan(src, end + 1 + sign, DIGIT);
        }
    }
    Token { kind: Kind::Float, start, end }
}

/// A string whose opening quote is at `quote`; it may not cross a line.
fn string(src: &[u8], quote: usize, start: usize, kind: Kind) -> Token {
    let mut at = quote + 1;
    while at < src.len() {
        match src[at] {
            b'"' => return Token { kind, start, end: at + 1 },
            b'\n' => break,
            b'\\' if at + 1 < src.len() && src[at + 1] != b'\n' => at += 2,
            _ => at += 1,
        }
    }
    // An escape may have jumped into the middle of a character.
    let mut end = at.min(src.len());
    while end < src.len() && src[end] & 0xC0 == 0x80 {
        end += 1;
    }
    Token { kind: Kind::Error, start, end }
}

/// Where bytes that are not UTF-8 stand among characters: a string of MLIR holds any bytes, ours holds characters. Byte
/// 0x80 and those behind it are the last characters that there are, which no one has a use for.
const RAW: u32 = 0x10_FF00;

/// The bytes of a character of a string that was read by [`unescape`].
pub(crate) fn bytes_of(c: char) -> Vec<u8> {
    match (c as u32).checked_sub(RAW) {
        Some(byte @ 0x80..=0xFF) => vec![byte as u8],
        _ => c.encode_utf8(&mut [0; 4]).as_bytes().to_vec(),
    }
}

/// The text that a quoted string stands for; see [`bytes_of`] for the bytes.
pub(crate) fn unescape(quoted: &str) -> String {
    let inner = &quoted[1..quoted.len() - 1];
    // 0xF4 is the first byte of the characters that [`RAW`] takes.
    if !inner.bytes().any(|byte| matches!(byte, b'\\' | 0xF4)) {
        return inner.to_owned();
    }
    let bytes = inner.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' || at + 1 >= bytes.len() {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let hex = |i: usize| bytes.get(i).and_then(|&b| (b as char).to_digit(16));
        match (bytes[at + 1], hex(at + 1), hex(at + 2)) {
            (b'n', ..) => out.push(b'\n'),
            (b't', ..) => out.push(b'\t'),
            (_, Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 1;
            }
            (other, ..) => out.push(other),
        }
        at += 2;
    }
    let raw = |byte: &u8| char::from_u32(RAW + u32::from(*byte)).expect("a byte stays below the last character");
    let mut text = String::with_capacity(out.len());
    for chunk in out.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c as u32 >= RAW {
                text.extend(c.encode_utf8(&mut [0; 4]).as_bytes().iter().map(raw));
            } else {
                text.push(c);
            }
        }
        text.extend(chunk.invalid().iter().map(raw));
    }
    text
}
