//! Sorts of types that matrix instructions and their kin ask for: words with `|` between them, of which a type fits one.
//!
//! ```text
//! f32  si8              a scalar
//! 4/8xf16/bf16          a vector of 4 or 8 elements, each an f16 or each a bf16; `fixed4xi8` is not scalable
//! intorfloat  row       any signless integer or float; a vector of one dimension of such
//! ```

use crate::ids::TypeId;
use crate::ir::Ir;
use crate::types::{Float, Sign, Type};

/// What one word stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A number.
    Number,
    /// A vector of one dimension of numbers.
    Row,
    /// One of these scalars.
    Scalar(Type),
    /// A vector of so many elements.
    Vector {
        /// How many there may be.
        lengths: Vec<i64>,
        /// What they may be.
        elems: Vec<Type>,
        /// Whether it must not be scalable.
        fixed: bool,
    },
}

/// Words for what several operands ask for.
const NAMED: [(&str, &str); 11] = [
    ("numbers", "intorfloat|row"),
    (
        "mfma",
        "f32|f64|i32|i64|2xf32|4/8xf16|2/4/8xbf16|4/8/16xi8|8xf8E5M2FNUZ/f8E4M3FNUZ|8/32xf8E5M2/f8E4M3FN|32xf6E2M3FN/f6E3M2FN/f4E2M1FN",
    ),
    ("mfmasum", "f64|4/16/32xf32|4/16/32xi32|4xf64"),
    ("wmma", "2xf32|4/8/16xf16/bf16|4/8/16/32xi8/si8/ui8|4/8/32/64xf8E4M3FN/f8E5M2|4/8/16xi4/si4/ui4"),
    ("wmmasum", "4/8xf32/i32|4/8/16xf16/bf16"),
    ("sparse", "4/8xf16|4/8xbf16|8/16xi8|8/16xf8E4M3FN/f8E5M2|8/16xf8E4M3FNUZ/f8E5M2FNUZ"),
    ("dense", "8/16xf16|8/16xbf16|16/32xi8|16/32xf8E4M3FN/f8E5M2|16/32xf8E4M3FNUZ/f8E5M2FNUZ"),
    ("scaled", "32xf8E5M2/f8E4M3FN|32xf6E2M3FN/f6E3M2FN/f4E2M1FN"),
    ("scales", "f8E8M0FNU|fixed4xf8E8M0FNU"),
    ("fourbytes", "fixed4xf8E4M3FNUZ/f8E5M2FNUZ/f8E4M3FN/f8E5M2"),
    ("oneword", "fixed4xf8E5M2/f8E4M3FN|fixed8xf4E2M1FN"),
];

impl Kind {
    /// The words of a text, if each is known.
    pub fn from_words(text: &str) -> Option<Vec<Kind>> {
        let text = NAMED.iter().find(|row| row.0 == text).map_or(text, |row| row.1);
        text.split('|').map(Kind::from_word).collect()
    }

    fn from_word(word: &str) -> Option<Kind> {
        match word {
            "intorfloat" => return Some(Kind::Number),
            "row" => return Some(Kind::Row),
            _ => {}
        }
        let vector = word.strip_prefix("fixed").unwrap_or(word);
        match vector.split_once('x') {
            Some((lengths, elems)) => Some(Kind::Vector {
                lengths: lengths.split('/').map(|length| length.parse().ok()).collect::<Option<_>>()?,
                elems: elems.split('/').map(scalar).collect::<Option<_>>()?,
                fixed: vector != word,
            }),
            None => Some(Kind::Scalar(scalar(word)?)),
        }
    }

    /// What MLIR's verifiers call it.
    pub fn constraint(&self) -> String {
        match self {
            Kind::Number => "Integer or Float".to_owned(),
            Kind::Row => "fixed-length vector of Integer or Float values of ranks 1".to_owned(),
            Kind::Scalar(ty) => words(ty),
            Kind::Vector { lengths, elems, fixed } => {
                let fixed = if *fixed { "fixed-length " } else { "" };
                let elems: Vec<String> = elems.iter().map(words).collect();
                let lengths: Vec<String> = lengths.iter().map(i64::to_string).collect();
                format!("{fixed}vector of {} values of length {}", elems.join(" or "), lengths.join("/"))
            }
        }
    }

    /// Whether a type is one of these.
    pub fn holds(&self, ir: &Ir, ty: TypeId) -> bool {
        let is_number = |ty: &Type| matches!(ty, Type::Integer { sign: Sign::Signless, .. } | Type::Float(_));
        match (self, &ir[ty]) {
            (Kind::Number, ty) => is_number(ty),
            (Kind::Row, Type::Vector { shape, scalable, elem }) => {
                shape.len() == 1 && scalable.is_empty() && is_number(&ir[*elem])
            }
            (Kind::Scalar(wanted), ty) => ty == wanted,
            (Kind::Vector { lengths, elems, fixed }, Type::Vector { shape, scalable, elem }) => {
                let length = shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent));
                length.is_some_and(|length| lengths.contains(&length))
                    && elems.contains(&ir[*elem])
                    && !(*fixed && scalable.contains(&true))
            }
            _ => false,
        }
    }
}

/// The type of a keyword such as `f16` or `si8`.
fn scalar(word: &str) -> Option<Type> {
    if let Some(&(float, ..)) = Float::ALL.iter().find(|row| row.1 == word) {
        return Some(Type::Float(float));
    }
    let (sign, digits) = match word.strip_prefix("si").or(word.strip_prefix("ui")) {
        Some(digits) if word.starts_with('s') => (Sign::Signed, digits),
        Some(digits) => (Sign::Unsigned, digits),
        None => (Sign::Signless, word.strip_prefix('i')?),
    };
    Some(Type::Integer { width: digits.parse().ok()?, sign })
}

/// What MLIR's verifiers call a scalar type.
fn words(ty: &Type) -> String {
    match ty {
        Type::Float(float @ (Float::F16 | Float::F32 | Float::F64)) => format!("{}-bit float", float.bits()),
        Type::Float(Float::BF16) => "bfloat16 type".to_owned(),
        Type::Float(float) => format!("{} type", float.keyword()),
        Type::Integer { width, sign } => {
            let sign = match sign {
                Sign::Signless => "signless",
                Sign::Signed => "signed",
                Sign::Unsigned => "unsigned",
            };
            format!("{width}-bit {sign} integer")
        }
        _ => unreachable!("a keyword names an integer or a float"),
    }
}
