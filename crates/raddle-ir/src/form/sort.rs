//! Sorts of types that operands and results have.

use super::among::{self, Among};
use crate::ids::TypeId;
use crate::ir::Ir;
use crate::types::{Float, Sign, Type};

/// Sorts of types that a signature asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Any,
    FloatLike,
    /// Signless integers, `index` and shapes of them.
    IntLike,
    /// Signless integers and shapes of them.
    FixedInt,
    /// What `index` is cast from and to: as `IntLike`, or a memref of it.
    IntBuffer,
    /// Signless integers, floats, and shapes or memrefs of them.
    Bits,
    Vector,
    Tensor,
    MemRef,
    /// A ranked tensor or a memref.
    Ranked,
    Shaped,
    /// A ranked tensor or a scalar.
    Operand,
    Index,
    F32,
    I1,
    I32,
    I64,
    I8,
    I14,
    I16,
    /// A pointer of `llvm`, to whatever memory.
    Pointer,
    /// `index` or vectors of it; where no type is stated, `index`.
    IndexLike,
    /// `index`, `i32` or `i64`: how large a grid is. Where no type is stated, `index`.
    Extent,
    Scalar,
    /// This vector type and no other.
    Exact(&'static str),
    /// What a script has of operations, of values, and of numbers and types.
    Handle,
    Value,
    Param,
    /// Any of the three, or a handle of operations or a parameter.
    Piece,
    Number,
    /// A type of a dialect without parameters, by its name.
    Dialect(&'static str),
    /// A type of a dialect with parameters, by its name; an assembly that knows it prints the parameters alone.
    Parametric(&'static str),
    /// One of those that the dialects of LLVM have words for.
    Among(&'static [Among]),
}

impl Sort {
    pub(super) fn from_word(word: &'static str) -> Option<Sort> {
        Some(match word {
            "any" => Sort::Any,
            "floatlike" => Sort::FloatLike,
            "intlike" => Sort::IntLike,
            "fixedint" => Sort::FixedInt,
            "intbuffer" => Sort::IntBuffer,
            "bits" => Sort::Bits,
            "vector" => Sort::Vector,
            "tensor" => Sort::Tensor,
            "memref" => Sort::MemRef,
            "ranked" => Sort::Ranked,
            "shaped" => Sort::Shaped,
            "operand" => Sort::Operand,
            "index" => Sort::Index,
            "f32" => Sort::F32,
            "i1" => Sort::I1,
            "i32" => Sort::I32,
            "i64" => Sort::I64,
            "i14" => Sort::I14,
            "indexlike" => Sort::IndexLike,
            "extent" => Sort::Extent,
            "i8" => Sort::I8,
            "i16" => Sort::I16,
            "pointer" => Sort::Pointer,
            word if word.starts_with('!') => match word[1..].strip_suffix("<>") {
                Some(name) => Sort::Parametric(name),
                None => Sort::Dialect(&word[1..]),
            },
            "scalar" => Sort::Scalar,
            word if word.starts_with("vector<") => Sort::Exact(word),
            "handle" => Sort::Handle,
            "value" => Sort::Value,
            "param" => Sort::Param,
            "piece" => Sort::Piece,
            "number" => Sort::Number,
            // The table of rows is made once, and lasts.
            words => Sort::Among(Among::from_words(words)?.leak()),
        })
    }

    /// What a diagnostic calls it.
    pub fn describe(self) -> String {
        match self {
            Sort::Dialect(name) => format!("`!{name}`"),
            Sort::Parametric(name) => format!("`!{name}<…>`"),
            Sort::Exact(ty) => format!("`{ty}`"),
            Sort::Among(_) => self.constraint(),
            sort => sort.words().0.to_owned(),
        }
    }

    /// What MLIR's own verifiers call it.
    pub fn constraint(self) -> String {
        match self {
            Sort::Dialect(name) | Sort::Parametric(name) => format!("!{name}"),
            Sort::Exact(ty) => {
                Among::from_words(&format!("fixed{}", ty.trim_start_matches("vector<").trim_matches('>')))
                    .and_then(|all| Some(all.first()?.constraint()))
                    .unwrap_or_else(|| ty.to_owned())
            }
            Sort::Among(all) => all.iter().map(Among::constraint).collect::<Vec<_>>().join(" or "),
            sort => sort.words().1.to_owned(),
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Sort::Any | Sort::Dialect(_) | Sort::Parametric(_) | Sort::Exact(_) | Sort::Among(_) => {
                ("any type", "any type")
            }
            Sort::FloatLike => ("a float, or a vector or tensor of floats", "floating-point-like"),
            Sort::IntLike => ("a signless integer or index, or a vector or tensor of these", "signless-integer-like"),
            Sort::FixedInt => {
                ("a signless integer, or a vector or tensor of these", "signless-fixed-width-integer-like")
            }
            Sort::IntBuffer => (
                "a signless integer or index, or a vector, tensor or memref of these",
                "signless-non-zero-bitwidth-integer-like or memref of signless-integer",
            ),
            Sort::Bits => (
                "a signless integer or float, or a vector, tensor or memref of these",
                "non-zero-bitwidth-signless-integer-or-float-like or memref of non-zero-bitwidth signless integer or float",
            ),
            Sort::Vector => ("a vector", "vector of any non-token type values"),
            Sort::Tensor => ("a ranked tensor", "ranked tensor of any non-token type values"),
            Sort::MemRef => ("a memref", "memref of any type values"),
            Sort::Ranked => ("a ranked tensor or memref", "ranked tensor or memref of any type"),
            Sort::Shaped => ("a vector, tensor or memref", "shaped of any non-token type values"),
            Sort::Operand => (
                "a ranked tensor, integer, index or float",
                "ranked tensor of signless integer or index or floating-point values or signless integer or index or floating-point",
            ),
            Sort::Index => ("`index`", "index"),
            Sort::F32 => ("`f32`", "32-bit float"),
            Sort::I1 => ("`i1`", "1-bit signless integer"),
            Sort::I32 => ("`i32`", "32-bit signless integer"),
            Sort::I64 => ("`i64`", "64-bit signless integer"),
            Sort::I8 => ("`i8`", "8-bit signless integer"),
            Sort::I14 => ("`i14`", "14-bit signless integer"),
            Sort::I16 => ("`i16`", "16-bit signless integer"),
            Sort::Pointer => ("a pointer of `llvm`", "LLVM pointer type"),
            Sort::Extent => ("`index`, `i32` or `i64`", "index or 32-bit signless integer or 64-bit signless integer"),
            Sort::IndexLike => ("`index` or a vector of it", "index or vector of index"),
            Sort::Handle => ("a handle of operations", "TransformHandleTypeInterface instance"),
            Sort::Value => ("a handle of values", "TransformValueHandleTypeInterface instance"),
            Sort::Param => ("a parameter", "TransformParamTypeInterface instance"),
            Sort::Piece => ("a handle or a parameter", "any transform handle or parameter"),
            Sort::Number => ("a parameter, or a handle of operations", "transform any param type or any handle type"),
            Sort::Scalar => ("an integer, index or float", "integer or index or floating-point"),
        }
    }

    /// The one type that fits, where the words of LLVM leave no other.
    pub fn only(self) -> Option<String> {
        match self {
            Sort::Among([Among::PointerIn(0)]) => Some("!llvm.ptr".to_owned()),
            Sort::Among([Among::PointerIn(space)]) => Some(format!("!llvm.ptr<{space}>")),
            Sort::Among([Among::Scalar(scalar)]) => Some(among::keyword(scalar)),
            _ => None,
        }
    }

    /// The `<…>` of a type of this sort, if that is how its assembly prints it.
    pub fn parameters<'ir>(self, ir: &'ir Ir, ty: &Type) -> Option<&'ir str> {
        let (Sort::Parametric(name), Type::Dialect(text)) = (self, ty) else { return None };
        ir[*text].strip_prefix(name).filter(|rest| rest.starts_with('<'))
    }

    /// Whether a type is of this sort.
    pub fn holds(self, ir: &Ir, ty: TypeId) -> bool {
        if let Sort::Exact(text) = self {
            return crate::text::print_type(ir, ty) == text;
        }
        let ty = &ir[ty];
        if let Sort::Among(all) = self {
            return all.iter().any(|one| one.holds(ir, ty));
        }
        // What an elementwise operation acts on: the type itself, or the elements of a vector or tensor.
        let elem = match ty {
            Type::Vector { elem, .. } | Type::Tensor { elem, .. } | Type::UnrankedTensor(elem) => &ir[*elem],
            Type::MemRef { elem, .. } if matches!(self, Sort::IntBuffer | Sort::Bits) => &ir[*elem],
            ty => ty,
        };
        let fixed = matches!(elem, Type::Integer { sign: Sign::Signless, width: 1.. });
        let signless = fixed || *elem == Type::Index;
        match self {
            Sort::Any => true,
            Sort::FloatLike => matches!(elem, Type::Float(_)),
            Sort::IntLike | Sort::IntBuffer => signless,
            Sort::FixedInt => fixed,
            Sort::Bits => fixed || matches!(elem, Type::Float(_)),
            Sort::Vector => matches!(ty, Type::Vector { .. }),
            Sort::Tensor => matches!(ty, Type::Tensor { .. }),
            Sort::MemRef => matches!(ty, Type::MemRef { .. }),
            Sort::Ranked => matches!(ty, Type::Tensor { .. } | Type::MemRef { .. }),
            Sort::Shaped => ty.shape().is_some(),
            Sort::Operand => {
                let number = matches!(elem, Type::Integer { .. } | Type::Index | Type::Float(_));
                number && matches!(ty, Type::Tensor { .. } | Type::Integer { .. } | Type::Index | Type::Float(_))
            }
            Sort::Index => *ty == Type::Index,
            Sort::F32 => matches!(ty, Type::Float(Float::F32)),
            Sort::I1 => matches!(ty, Type::Integer { width: 1, sign: Sign::Signless }),
            Sort::I32 => matches!(ty, Type::Integer { width: 32, sign: Sign::Signless }),
            Sort::I64 => matches!(ty, Type::Integer { width: 64, sign: Sign::Signless }),
            Sort::I8 => matches!(ty, Type::Integer { width: 8, sign: Sign::Signless }),
            Sort::I14 => matches!(ty, Type::Integer { width: 14, sign: Sign::Signless }),
            Sort::I16 => matches!(ty, Type::Integer { width: 16, sign: Sign::Signless }),
            Sort::Pointer => crate::text::is_llvm_pointer(ir, ty),
            Sort::Extent => matches!(ty, Type::Index | Type::Integer { width: 32 | 64, sign: Sign::Signless }),
            Sort::IndexLike => matches!(elem, Type::Index),
            Sort::Dialect(name) => matches!(ty, Type::Dialect(text) if ir[*text] == *name),
            Sort::Parametric(_) => self.parameters(ir, ty).is_some(),
            Sort::Exact(_) | Sort::Among(_) => unreachable!("looked at above"),
            Sort::Handle | Sort::Value | Sort::Param | Sort::Piece | Sort::Number => {
                let Type::Dialect(text) = ty else { return false };
                let Some(name) = ir[*text].strip_prefix("transform.") else { return false };
                match name.split('<').next().unwrap_or_default() {
                    "any_op" | "op" => matches!(self, Sort::Handle | Sort::Piece | Sort::Number),
                    "any_value" => matches!(self, Sort::Value | Sort::Piece),
                    "any_param" | "param" | "type" | "affine_map" => {
                        matches!(self, Sort::Param | Sort::Piece | Sort::Number)
                    }
                    // Extensions bring handles of their own.
                    _ => true,
                }
            }
            Sort::Scalar => matches!(ty, Type::Integer { .. } | Type::Index | Type::Float(_)),
        }
    }
}
