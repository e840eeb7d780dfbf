//! Sorts of types that the dialects of LLVM, matrix instructions and their family ask for: words with `|` between them, of
//! which a type fits one.
//!
//! ```text
//! ptr3|i64              a pointer to memory of this number, or an integer of 64 bits
//! int+                  a signless integer, or a vector of such: `int|vec(int)`
//! 4/8xf16/bf16          a vector of 4 or 8 elements, each an f16 or each a bf16; `fixed4xi8` is not scalable
//! intorfloat  row       any signless integer or float; a vector of one dimension of such
//! ```

use crate::ir::Ir;
use crate::text::{Llvm, StructBody, is_llvm, is_llvm_float, is_llvm_pointer, is_llvm_vector};
use crate::types::{Float, Sign, Type};

/// What one word stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Among {
    /// Whatever a value of LLVM may have.
    Llvm,
    /// What is neither `void` nor a function.
    Primitive,
    /// What may be loaded and stored.
    Sized,
    /// Neither a struct nor an array.
    Plain,
    /// What is one of these.
    Aggregate,
    Struct,
    Lanes,
    FixedLanes,
    Real,
    Int,
    /// An integer of any sign.
    AnyInt,
    /// A float of any format.
    Float,
    Pointer,
    PointerIn(u32),
    /// A signless integer or a float.
    Number,
    /// A vector of one dimension of numbers.
    Row,
    Scalar(Type),
    Vec(Box<Among>),
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

impl Among {
    /// The words of a text, if each is known.
    pub fn from_words(words: &str) -> Option<Vec<Among>> {
        let words = NAMED.iter().find(|row| row.0 == words).map_or(words, |row| row.1);
        let mut all = Vec::new();
        for word in words.split('|') {
            match word.strip_suffix('+') {
                Some(word) => {
                    let scalar = Among::from_word(word)?;
                    all.extend([scalar.clone(), Among::Vec(Box::new(scalar))]);
                }
                None => all.push(Among::from_word(word)?),
            }
        }
        Some(all)
    }

    fn from_word(word: &str) -> Option<Among> {
        Some(match word {
            "llvm" => Among::Llvm,
            "primitive" => Among::Primitive,
            "sized" => Among::Sized,
            "plain" => Among::Plain,
            "aggregate" => Among::Aggregate,
            "struct" => Among::Struct,
            "lanes" => Among::Lanes,
            "fixedlanes" => Among::FixedLanes,
            "real" => Among::Real,
            "int" => Among::Int,
            "anyint" => Among::AnyInt,
            "float" => Among::Float,
            "ptr" => Among::Pointer,
            "intorfloat" => Among::Number,
            "row" => Among::Row,
            word => {
                if let Some(space) = word.strip_prefix("ptr") {
                    return space.parse().ok().map(Among::PointerIn);
                }
                if let Some(inner) = word.strip_prefix("vec(").and_then(|rest| rest.strip_suffix(')')) {
                    return Some(Among::Vec(Box::new(Among::from_word(inner)?)));
                }
                let vector = word.strip_prefix("fixed").unwrap_or(word);
                match vector.split_once('x') {
                    Some((lengths, elems)) if lengths.starts_with(|c: char| c.is_ascii_digit()) => Among::Vector {
                        lengths: lengths.split('/').map(|length| length.parse().ok()).collect::<Option<_>>()?,
                        elems: elems.split('/').map(scalar).collect::<Option<_>>()?,
                        fixed: vector != word,
                    },
                    _ => Among::Scalar(scalar(word)?),
                }
            }
        })
    }

    /// What MLIR's verifiers call it.
    pub fn constraint(&self) -> String {
        match self {
            Among::Llvm => "LLVM dialect-compatible type".to_owned(),
            Among::Primitive => "primitive LLVM type".to_owned(),
            Among::Sized => "LLVM type with size".to_owned(),
            Among::Plain => "LLVM-compatible non-aggregate type".to_owned(),
            Among::Aggregate => "LLVM aggregate type".to_owned(),
            Among::Struct => "LLVM structure type".to_owned(),
            Among::Lanes => "LLVM dialect-compatible vector type".to_owned(),
            Among::FixedLanes => "LLVM dialect-compatible fixed-length vector type".to_owned(),
            Among::Real => "floating point LLVM type".to_owned(),
            Among::Int => "signless integer".to_owned(),
            Among::AnyInt => "integer".to_owned(),
            Among::Float => "floating-point".to_owned(),
            Among::Pointer => "LLVM pointer type".to_owned(),
            Among::PointerIn(space) => format!("LLVM pointer in address space {space}"),
            Among::Number => "Integer or Float".to_owned(),
            Among::Row => "fixed-length vector of Integer or Float values of ranks 1".to_owned(),
            Among::Scalar(ty) => scalar_constraint(ty),
            Among::Vec(elem) => format!("LLVM dialect-compatible vector of {}", elem.constraint()),
            Among::Vector { lengths, elems, fixed } => {
                let fixed = if *fixed { "fixed-length " } else { "" };
                let elems: Vec<String> = elems.iter().map(scalar_constraint).collect();
                let lengths: Vec<String> = lengths.iter().map(i64::to_string).collect();
                format!("{fixed}vector of {} values of length {}", elems.join(" or "), lengths.join("/"))
            }
        }
    }

    /// Whether a type is one of these.
    pub fn holds(&self, ir: &Ir, ty: &Type) -> bool {
        match self {
            Among::Llvm => is_llvm(ir, ty),
            Among::Real => is_llvm_float(ir, ty),
            Among::Int => matches!(ty, Type::Integer { sign: Sign::Signless, .. }),
            Among::AnyInt => matches!(ty, Type::Integer { .. }),
            Among::Float => matches!(ty, Type::Float(_)),
            Among::Pointer => is_llvm_pointer(ir, ty),
            Among::Lanes => is_llvm_vector(ir, ty),
            Among::FixedLanes => is_llvm_vector(ir, ty) && !is_scalable(ty),
            Among::Number => is_number(ty),
            Among::Row => match ty {
                Type::Vector { shape, scalable, elem } => {
                    shape.len() == 1 && scalable.is_empty() && is_number(&ir[*elem])
                }
                _ => false,
            },
            Among::Scalar(scalar) => ty == scalar,
            Among::Vec(elem) => match ty {
                Type::Vector { elem: found, .. } => is_llvm_vector(ir, ty) && elem.holds(ir, &ir[*found]),
                _ => false,
            },
            Among::Vector { lengths, elems, fixed } => match ty {
                Type::Vector { shape, elem, .. } => {
                    let length = shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent));
                    length.is_some_and(|length| lengths.contains(&length))
                        && elems.contains(&ir[*elem])
                        && !(*fixed && is_scalable(ty))
                }
                _ => false,
            },
            Among::Primitive | Among::Sized | Among::Plain | Among::Aggregate | Among::Struct | Among::PointerIn(_) => {
                self.holds_text(ir, ty)
            }
        }
    }

    /// The same for what takes a look into the text of a type.
    fn holds_text(&self, ir: &Ir, ty: &Type) -> bool {
        let Type::Dialect(text) = ty else {
            return matches!(self, Among::Primitive | Among::Sized | Among::Plain) && is_llvm(ir, ty);
        };
        // Other dialects have pointers, and memory of their own.
        let Some(text) = ir[*text].strip_prefix("llvm.") else {
            return matches!(self, Among::Sized) || matches!(self, Among::Primitive | Among::Plain) && is_llvm(ir, ty);
        };
        let is_func = text == "void" || text.starts_with("func<");
        let is_struct = text.starts_with("struct<");
        match self {
            Among::Primitive => !is_func,
            Among::Sized => match Llvm::of(text) {
                Some(Llvm::Target(name, _)) => name.starts_with("\"spirv.") || name == "\"aarch64.svcount\"",
                Some(Llvm::Struct(ty)) => ty.body != StructBody::Opaque,
                _ => !is_func,
            },
            Among::Plain => !is_struct && !text.starts_with("array<"),
            Among::Aggregate => is_struct || text.starts_with("array<"),
            Among::Struct => is_struct,
            Among::PointerIn(0) => text == "ptr",
            Among::PointerIn(space) => match Llvm::of(text) {
                Some(Llvm::Pointer(found)) => found.parse() == Ok(*space),
                _ => false,
            },
            _ => false,
        }
    }
}

fn is_scalable(ty: &Type) -> bool {
    matches!(ty, Type::Vector { scalable, .. } if !scalable.is_empty())
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Integer { sign: Sign::Signless, .. } | Type::Float(_))
}

/// The type of a keyword such as `f16`, `si8` or `index`.
pub(super) fn scalar(word: &str) -> Option<Type> {
    if word == "index" {
        return Some(Type::Index);
    }
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

/// The inverse of [`scalar`].
pub(super) fn keyword(ty: &Type) -> String {
    match ty {
        Type::Index => "index".to_owned(),
        Type::Float(float) => float.keyword().to_owned(),
        Type::Integer { width, sign: Sign::Signless } => format!("i{width}"),
        Type::Integer { width, sign: Sign::Signed } => format!("si{width}"),
        Type::Integer { width, sign: Sign::Unsigned } => format!("ui{width}"),
        _ => unreachable!("a keyword names a scalar"),
    }
}

/// What MLIR's verifiers call a scalar type.
pub(super) fn scalar_constraint(ty: &Type) -> String {
    match ty {
        Type::Index => "index".to_owned(),
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
        _ => unreachable!("a keyword names a scalar"),
    }
}
