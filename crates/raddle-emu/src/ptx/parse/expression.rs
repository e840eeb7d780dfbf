//! Constant expressions, as in C: of integers, which have 64 bits, and of floats, which are f64.

use super::super::ast::Operand;
use super::super::lex::{Token, error};
use super::{DEPTH_MAX, Parsed, Parser};

/// How tightly shifts bind; what binds less tightly compares, or combines bits.
const SHIFT: u32 = 8;

/// What an expression comes to.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Int(i64),
    Double(f64),
}

impl Number {
    pub(super) fn negated(self) -> Number {
        match self {
            Number::Int(value) => Number::Int(value.wrapping_neg()),
            Number::Double(value) => Number::Double(-value),
        }
    }
}

impl From<Number> for Operand {
    fn from(number: Number) -> Operand {
        match number {
            Number::Int(value) => Operand::Int(value),
            Number::Double(value) => Operand::Double(value),
        }
    }
}

impl Parser {
    /// An integer expression that an angle bracket may follow.
    pub(super) fn int(&mut self) -> Parsed<i64> {
        let value = self.expression(SHIFT)?;
        self.expect_int(value)
    }

    /// An expression of any operators.
    pub(super) fn whole(&mut self) -> Parsed<Number> {
        self.expression(1)
    }

    fn expect_int(&self, value: Number) -> Parsed<i64> {
        match value {
            Number::Int(value) => Ok(value),
            Number::Double(_) => Err(error(self.last, "expected an integer, and this is a float")),
        }
    }

    /// Whether the type of a cast comes next; all integers have 64 bits.
    pub(super) fn is_cast(&mut self) -> bool {
        matches!(self.peek(), Some(Token::Dotted(ty)) if matches!(ty.as_str(), "s64" | "u64"))
    }

    /// Whether what comes next can only begin an expression.
    pub(super) fn is_number(&mut self) -> bool {
        match self.peek() {
            Some(Token::Int(_) | Token::Double(_) | Token::Sign('~')) => true,
            // `.5`
            Some(Token::Dotted(digits)) => digits.bytes().all(|byte| byte.is_ascii_digit()),
            _ => false,
        }
    }

    /// The binary operator that comes next, if it binds at least so tightly, and how tightly it binds.
    pub(super) fn operator(&mut self, least: u32) -> Option<(&'static str, u32)> {
        let found = match *self.peek()? {
            Token::Operator(operator) => match operator {
                "||" => (operator, 1),
                "&&" => (operator, 2),
                "==" | "!=" => (operator, 6),
                "<=" | ">=" => (operator, 7),
                _ => (operator, SHIFT),
            },
            Token::Sign('|') => ("|", 3),
            Token::Sign('^') => ("^", 4),
            Token::Sign('&') => ("&", 5),
            Token::Sign('<') => ("<", 7),
            Token::Sign('>') => (">", 7),
            Token::Sign('+') => ("+", SHIFT + 1),
            Token::Sign('-') => ("-", SHIFT + 1),
            Token::Sign('*') => ("*", SHIFT + 2),
            Token::Sign('/') => ("/", SHIFT + 2),
            Token::Sign('%') => ("%", SHIFT + 2),
            _ => return None,
        };
        (found.1 >= least).then_some(found)
    }

    /// The rest of an expression behind its first part, of operators that bind at least so tightly.
    pub(super) fn rest(&mut self, mut value: Number, least: u32) -> Parsed<Number> {
        while let Some((operator, level)) = self.operator(least) {
            self.next();
            let first = self.atom()?;
            let by = self.rest(first, level + 1)?;
            let result = match (value, by) {
                (Number::Int(value), Number::Int(by)) => of_ints(operator, value, by).map(Number::Int),
                (Number::Double(value), Number::Double(by)) => of_doubles(operator, value, by),
                _ => Err("an integer and a float in one expression"),
            };
            value = result.map_err(|message| error(self.last, message))?;
        }
        if least <= 1 && self.take('?') {
            self.depth += 1;
            if self.depth > DEPTH_MAX {
                return Err(self.wrong("an expression nests too deep"));
            }
            let holds = self.expect_int(value)? != 0;
            let yes = self.whole()?;
            self.expect(':')?;
            let no = self.whole()?;
            self.depth -= 1;
            return Ok(if holds { yes } else { no });
        }
        Ok(value)
    }

    /// An expression of operators that bind at least so tightly.
    fn expression(&mut self, least: u32) -> Parsed<Number> {
        let first = self.atom()?;
        self.rest(first, least)
    }

    pub(super) fn int_atom(&mut self) -> Parsed<i64> {
        let value = self.atom()?;
        self.expect_int(value)
    }

    pub(super) fn atom(&mut self) -> Parsed<Number> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.wrong("an expression nests too deep"));
        }
        let value = match self.next() {
            Some(Token::Int(value)) => Number::Int(value as i64),
            Some(Token::Double(value)) => Number::Double(value),
            Some(Token::Dotted(digits)) => {
                let value = format!("0.{digits}").parse();
                Number::Double(value.map_err(|_| error(self.last, "expected a number"))?)
            }
            Some(Token::Sign('-')) => self.atom()?.negated(),
            Some(Token::Sign('+')) => self.atom()?,
            Some(Token::Sign('~')) => Number::Int(!self.int_atom()?),
            Some(Token::Sign('!')) => Number::Int((self.int_atom()? == 0).into()),
            Some(Token::Sign('(')) => {
                if self.is_cast() {
                    self.next();
                    self.expect(')')?;
                    Number::Int(self.int_atom()?)
                } else {
                    let value = self.whole()?;
                    self.expect(')')?;
                    value
                }
            }
            _ => return Err(error(self.last, "expected a number")),
        };
        self.depth -= 1;
        Ok(value)
    }
}

fn of_ints(operator: &str, a: i64, b: i64) -> Result<i64, &'static str> {
    Ok(match operator {
        "||" => (a != 0 || b != 0).into(),
        "&&" => (a != 0 && b != 0).into(),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => (a == b).into(),
        "!=" => (a != b).into(),
        "<=" => (a <= b).into(),
        ">=" => (a >= b).into(),
        "<" => (a < b).into(),
        ">" => (a > b).into(),
        "<<" => a.wrapping_shl(b as u32),
        ">>" => a.wrapping_shr(b as u32),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ => {
            let result = if operator == "/" { a.checked_div(b) } else { a.checked_rem(b) };
            result.ok_or("a division by zero")?
        }
    })
}

fn of_doubles(operator: &str, a: f64, b: f64) -> Result<Number, &'static str> {
    Ok(match operator {
        "+" => Number::Double(a + b),
        "-" => Number::Double(a - b),
        "*" => Number::Double(a * b),
        "/" => Number::Double(a / b),
        "==" => Number::Int((a == b).into()),
        "!=" => Number::Int((a != b).into()),
        "<=" => Number::Int((a <= b).into()),
        ">=" => Number::Int((a >= b).into()),
        "<" => Number::Int((a < b).into()),
        ">" => Number::Int((a > b).into()),
        _ => return Err("this operator takes integers"),
    })
}
