//! What the number of an integer attribute may be, as a row says it behind the type: `m:i32{4/16/32}`.

use crate::attrs::Attr;

/// The numbers that are allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Limit {
    /// `{4/16/32}`
    OneOf(Vec<i64>),
    /// `{0..3}`; `{0..}` has no end.
    Between(i64, Option<i64>),
    /// `{..3}`: not negative, and at most so much.
    AtMost(i64),
    /// `{+}`
    Positive,
    /// `{2^}`
    PowerOfTwo,
}

impl Limit {
    pub fn parse(text: &str) -> Option<Limit> {
        Some(match text {
            "+" => Limit::Positive,
            "2^" => Limit::PowerOfTwo,
            text => match text.split_once("..") {
                Some(("", most)) => Limit::AtMost(most.parse().ok()?),
                Some((least, "")) => Limit::Between(least.parse().ok()?, None),
                Some((least, most)) => Limit::Between(least.parse().ok()?, Some(most.parse().ok()?)),
                None => Limit::OneOf(text.split('/').map(|number| number.parse().ok()).collect::<Option<_>>()?),
            },
        })
    }

    /// What MLIR's verifiers call it.
    pub fn constraint(&self) -> String {
        match self {
            Limit::OneOf(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
                format!("whose value is one of {{{}}}", numbers.join(", "))
            }
            Limit::Between(least, None) => format!("whose minimum value is {least}"),
            Limit::Between(least, Some(most)) => {
                format!("whose minimum value is {least} whose maximum value is {most}")
            }
            Limit::AtMost(most) => format!("whose value is non-negative whose maximum value is {most}"),
            Limit::Positive => "whose value is positive".to_owned(),
            Limit::PowerOfTwo => "whose value is a power of two > 0".to_owned(),
        }
    }

    pub fn allows(&self, value: &Attr) -> bool {
        let Some(value) = value.as_i64() else { return false };
        match self {
            Limit::OneOf(numbers) => numbers.contains(&value),
            Limit::Between(least, most) => *least <= value && most.is_none_or(|most| value <= most),
            Limit::AtMost(most) => (0..=*most).contains(&value),
            Limit::Positive => value > 0,
            Limit::PowerOfTwo => value > 0 && value & (value - 1) == 0,
        }
    }
}
