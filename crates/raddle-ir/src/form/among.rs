//! Sorts of types that the dialects of LLVM ask for: words with `|` between them, of which a type fits one.
//!
//! ```text
//! ptr3|i64            a pointer to memory of this number, or an integer of 64 bits
//! int+                a signless integer, or a vector of such: `int|vec(int)`
//! 4xi8 fixed6xi32     a vector of so many elements; one that is not scalable
//! ```

use crate::ir::Ir;
use crate::text::{Llvm, StructBody, is_llvm, is_llvm_float, is_llvm_pointer, is_llvm_vector};
use crate::types::{Float, Scalar, Sign, Type};

/// What one word stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Among {
    /// Whatever a value of LLVM may have.
    Llvm,
    /// What is neither `void` nor a function.
    Primitive,
    /// What may be loaded and stored.
    Sized,
    /// What is no struct and no array.
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
    Scalar(Scalar),
    Vec(Box<Among>),
    /// So many elements of this type, and whether they must not be scalable.
    Vector(i64, Scalar, bool),
}

impl Among {
    /// The words of a text, if each is known.
    pub fn from_words(words: &str) -> Option<Vec<Among>> {
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
            word => {
                if let Some(space) = word.strip_prefix("ptr") {
                    return space.parse().ok().map(Among::PointerIn);
                }
                if let Some(inner) = word.strip_prefix("vec(").and_then(|rest| rest.strip_suffix(')')) {
                    return Some(Among::Vec(Box::new(Among::from_word(inner)?)));
                }
                let vector = word.strip_prefix("fixed").unwrap_or(word);
                match vector.split_once('x') {
                    Some((count, elem)) if count.starts_with(|c: char| c.is_ascii_digit()) => {
                        Among::Vector(count.parse().ok()?, Scalar::from_keyword(elem)?, vector != word)
                    }
                    _ => Among::Scalar(Scalar::from_keyword(word)?),
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
            Among::Scalar(scalar) => scalar_constraint(*scalar),
            Among::Vec(elem) => format!("LLVM dialect-compatible vector of {}", elem.constraint()),
            Among::Vector(count, elem, fixed) => {
                let fixed = if *fixed { "fixed-length " } else { "" };
                format!("{fixed}vector of {} values of length {count}", scalar_constraint(*elem))
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
            Among::Scalar(scalar) => is_scalar(ty, *scalar),
            Among::Vec(elem) => match ty {
                Type::Vector { elem: found, .. } => is_llvm_vector(ir, ty) && elem.holds(ir, &ir[*found]),
                _ => false,
            },
            Among::Vector(count, elem, fixed) => match ty {
                Type::Vector { shape, elem: found, .. } => {
                    shape.iter().product::<i64>() == *count
                        && is_scalar(&ir[*found], *elem)
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

fn is_scalar(ty: &Type, scalar: Scalar) -> bool {
    let signless = !matches!(ty, Type::Integer { sign: Sign::Signed | Sign::Unsigned, .. });
    signless && Scalar::of(ty) == Some(scalar)
}

/// What MLIR's verifiers call a type of elements.
pub(super) fn scalar_constraint(scalar: Scalar) -> String {
    match scalar {
        Scalar::Int(width) => format!("{width}-bit signless integer"),
        Scalar::Float(Float::BF16) => "bfloat16 type".to_owned(),
        Scalar::Float(float) => format!("{}-bit float", float.bits()),
        Scalar::Index => "index".to_owned(),
    }
}
