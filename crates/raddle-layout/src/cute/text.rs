//! CuTe layouts as text: `((2,4),8):((0,1),4)`, with a swizzle `Sw<3,4,3> o 0 o (8,64):(64,1)`.

use std::fmt;
use std::str::FromStr;

use super::{Cute, CuteError, Mode, Swizzle};

/// Deeper tuples are refused.
const DEPTH_MAX: usize = 64;

/// A nested tuple of integers.
enum Tree {
    Leaf(i64),
    Tuple(Vec<Tree>),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl FromStr for Cute {
    type Err = CuteError;

    fn from_str(text: &str) -> Result<Cute, CuteError> {
        let mut reader = Reader { text, at: 0 };
        let mut swizzle = None;
        if reader.eat("Sw<") || reader.eat("Swizzle<") {
            let bits = reader.number()?;
            reader.want(",", "`,`")?;
            let base = reader.number()?;
            reader.want(",", "`,`")?;
            let shift = reader.number()?;
            reader.want(">", "`>`")?;
            reader.want("o", "`o`")?;
            let offset = reader.number()?;
            reader.want("o", "`o`")?;
            let small = |number: i64| u32::try_from(number).map_err(|_| CuteError::Malformed);
            let shift = i32::try_from(shift).map_err(|_| CuteError::Malformed)?;
            swizzle = Some((Swizzle { bits: small(bits)?, base: small(base)?, shift }, offset));
        }
        let shape = reader.tree(0)?;
        reader.want(":", "`:`")?;
        let stride = reader.tree(0)?;
        reader.space();
        if reader.at != text.len() {
            return Err(CuteError::Text { expected: "the end", at: reader.at });
        }
        let layout = Cute::new(zip(&shape, &stride)?)?;
        match swizzle {
            Some((swizzle, offset)) => layout.with_swizzle(swizzle, offset),
            None => Ok(layout),
        }
    }
}

fn zip(shape: &Tree, stride: &Tree) -> Result<Mode, CuteError> {
    match (shape, stride) {
        (&Tree::Leaf(extent), &Tree::Leaf(stride)) => Ok(Mode::Leaf { extent, stride }),
        (Tree::Tuple(shape), Tree::Tuple(stride)) if shape.len() == stride.len() => {
            let modes = shape.iter().zip(stride).map(|(shape, stride)| zip(shape, stride));
            Ok(Mode::Tuple(modes.collect::<Result<_, _>>()?))
        }
        _ => Err(CuteError::Malformed),
    }
}

impl Reader<'_> {
    fn space(&mut self) {
        while self.text[self.at..].starts_with([' ', '\t', '\n']) {
            self.at += 1;
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let found = self.text[self.at..].starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn want(&mut self, token: &str, expected: &'static str) -> Result<(), CuteError> {
        if self.eat(token) { Ok(()) } else { Err(CuteError::Text { expected, at: self.at }) }
    }

    fn number(&mut self) -> Result<i64, CuteError> {
        self.space();
        // Static integers are printed with an underscore.
        self.eat("_");
        let rest = &self.text[self.at..];
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[..sign + digits].parse();
        let number = number.map_err(|_| CuteError::Text { expected: "an integer", at: self.at })?;
        self.at += sign + digits;
        Ok(number)
    }

    fn tree(&mut self, depth: usize) -> Result<Tree, CuteError> {
        if !self.eat("(") {
            return Ok(Tree::Leaf(self.number()?));
        }
        if depth == DEPTH_MAX {
            return Err(CuteError::Text { expected: "fewer parentheses", at: self.at });
        }
        let mut trees = Vec::new();
        if self.eat(")") {
            return Ok(Tree::Tuple(trees));
        }
        loop {
            trees.push(self.tree(depth + 1)?);
            if self.eat(")") {
                return Ok(Tree::Tuple(trees));
            }
            self.want(",", "`,` or `)`")?;
        }
    }
}

impl fmt::Display for Cute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.swizzle {
            Some(Swizzle { bits, base, shift }) => write!(f, "Sw<{bits},{base},{shift}> o {} o ", self.offset)?,
            None if self.offset != 0 => write!(f, "{} + ", self.offset)?,
            None => {}
        }
        write_mode(f, &self.mode, &|extent, _| extent)?;
        write!(f, ":")?;
        write_mode(f, &self.mode, &|_, stride| stride)
    }
}

fn write_mode(f: &mut fmt::Formatter<'_>, mode: &Mode, pick: &dyn Fn(i64, i64) -> i64) -> fmt::Result {
    match mode {
        &Mode::Leaf { extent, stride } => write!(f, "{}", pick(extent, stride)),
        Mode::Tuple(modes) => {
            write!(f, "(")?;
            for (index, mode) in modes.iter().enumerate() {
                if index > 0 {
                    write!(f, ",")?;
                }
                write_mode(f, mode, pick)?;
            }
            write!(f, ")")
        }
    }
}
