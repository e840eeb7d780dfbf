//! What a row of the op table says about operands, results, attributes and assembly, taken apart.
//!
//! A row gives three short texts. The *signature* names groups of operands and results with their types:
//!
//! ```text
//! T floatlike; lhs T, rhs T -> result T          one type for all three, a float or a shape of floats
//! base memref, indices* index -> result vector   `*` any number, `?` none or one
//! source tensor, index index -> dim! index         `!` the name that the result has in print
//! T int+; arg T, to ptr1|ptr3 -> res T             words for what LLVM has (`form/among.rs`)
//! inputs* any -> results* any {iree_gpu.yield}     one region of one block, and what ends it
//! ```
//!
//! A type is a sort, such as `vector`, or what instructions ask for, such as `4/8xf16` (`form/kinds.rs`).
//!
//! In front of what ends a region, `?` says that it may have no block, `*` that it may have several, `~` that the
//! terminator goes without saying where it takes nothing, `+` that there is any number of such regions; `{}` asks for
//! no terminator.
//!
//! The *attributes* are the inherent ones, each with what its short spelling means, what its number may be, and its
//! default: `fastmath:arith.fastmath=none tbaa:[llvm.tbaa_tag] k:i32{16/32}`. The *format* is the custom assembly as in
//! MLIR's own declarative formats; operations without one have a hand-written pair in `text/custom`.

mod among;
mod limit;

use std::sync::OnceLock;

use among::Among;
use limit::Limit;

use crate::attrs::{self, Attr};
use crate::ids::{AttrId, TypeId};
use crate::ir::Ir;
use crate::ops::{OPS, Opcode, loaded_shape};
use crate::types::{Float, Sign, Type};

/// In the place of a format: the operation has no custom assembly.
pub(crate) const GENERIC: &str = "generic";

/// One row's texts.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Operands and results.
    pub signature: &'static str,
    /// Inherent attributes.
    pub attrs: &'static str,
    /// Custom assembly; empty where it is written by hand.
    pub format: &'static str,
}

/// Operands and results, inherent attributes, and assembly.
pub const fn form(signature: &'static str, attrs: &'static str, format: &'static str) -> Form {
    Form { signature, attrs, format }
}

/// An operation without custom assembly.
pub const fn generic_only(signature: &'static str, attrs: &'static str) -> Form {
    form(signature, attrs, GENERIC)
}

/// The same attributes and assembly for operands and results of other types.
pub const fn of(signature: &'static str, form: Form) -> Form {
    Form { signature, ..form }
}

impl Form {
    /// The regions, which stand in braces.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = Body> + use<> {
        self.signature.split('{').skip(1).map(|body| Body::parse(body.trim_end().trim_end_matches('}')))
    }
}

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
    fn from_word(word: &'static str) -> Option<Sort> {
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

/// The type of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// The type of every other group with this letter.
    Var(u8),
    /// Any type of a sort.
    Sort(Sort),
    /// The element type of the type with this letter.
    ElemOf(u8),
    /// `i1` in the shape of the type with this letter.
    BoolOf(u8),
    /// The types of a group of operands, one by one.
    Same(&'static str),
    /// `i1` for each value of a group of operands.
    FlagFor(&'static str),
    /// `!llvm.struct<(T, i1)>` with the type that has this letter.
    PairOf(u8),
}

/// A named group of operands or results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub name: &'static str,
    /// Any number.
    pub many: bool,
    /// None or one.
    pub optional: bool,
    pub rule: Rule,
    /// Whether the name is that of the value in print.
    pub printed: bool,
}

/// A region of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    /// What ends its blocks; empty where nothing has to.
    pub ends: &'static str,
    /// It may have no block.
    pub empty: bool,
    /// It may have several blocks.
    pub many: bool,
    /// The terminator may be left out in text where it takes no operands.
    pub implied: bool,
    /// There may be any number of such regions.
    pub repeats: bool,
}

/// How the short spelling of an attribute reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spelling {
    /// Any attribute, in full.
    Full,
    /// Any attribute, with the type that it may state.
    Typed,
    /// The word in `#name<word>`.
    Keyword(&'static str),
    /// The number of an integer attribute of this type.
    Int(&'static str),
    /// A number as an unsigned integer of as many bits as MLIR's reader takes for its digits.
    Digits,
    /// `<word>` for `#name<word>`.
    Angle(&'static str),
    /// A word for each number of an integer attribute.
    Cases(&'static Cases),
    /// The same in quotes.
    Quoted(&'static Cases),
    /// `[1, 2]` for `array<i64: 1, 2>`, or numbers of another width.
    Dense(u32),
    /// `true` or `false`
    Bool,
    /// A word for `false` and one for `true`.
    Either([&'static str; 2]),
    /// The number of an attribute of type `f32`.
    F32,
    /// There or not.
    Unit,
    /// `@name` for `"name"`.
    Name,
    /// `@name`, a reference.
    Symbol,
    /// `[#name<…>, #name<…>]`, attributes of one name.
    List(&'static str),
    /// An attribute of this name, in full.
    Of(&'static str),
    /// `[@name, @name]`, at least one.
    Symbols,
    /// A type.
    Type,
    /// A function type.
    Function,
    /// `[{…}, {…}]`
    Dicts,
    /// `[0 : index, -1 : index]`
    Indices,
    /// A string; a `:` behind it belongs to what follows.
    Text,
    /// `public`, `private` or `nested` for the string.
    Visibility,
    /// `A` or `"A|B"` for the union of bits.
    Bits(&'static Union),
    /// `a, b` for the sum of bits.
    Flags(&'static Cases),
    /// An attribute of this name, which may be left out in front of the brackets.
    Body(&'static str),
}

impl Spelling {
    /// What MLIR's verifiers call the attributes of this kind.
    pub fn constraint(self) -> Option<String> {
        Some(match self {
            Spelling::Int(ty) => format!("{} attribute", among::scalar_constraint(&among::scalar(ty)?)),
            Spelling::Unit => "unit attribute".to_owned(),
            Spelling::Bool => "bool attribute".to_owned(),
            Spelling::Name | Spelling::Text => "string attribute".to_owned(),
            Spelling::Symbol => "symbol reference attribute".to_owned(),
            Spelling::Symbols => "symbol ref array attribute".to_owned(),
            Spelling::Type => "any type attribute".to_owned(),
            Spelling::Function => "type attribute of function type".to_owned(),
            Spelling::Dicts => "Array of dictionary attributes".to_owned(),
            Spelling::Indices => "index array attribute".to_owned(),
            Spelling::Dense(bits) => format!("i{bits} dense array attribute"),
            Spelling::List("llvm.access_group") => "LLVM dialect access group metadata array".to_owned(),
            Spelling::List("llvm.alias_scope") => "LLVM dialect alias scope array".to_owned(),
            Spelling::List("llvm.tbaa_tag") => "LLVM dialect TBAA tag metadata array".to_owned(),
            _ => return None,
        })
    }
}

/// Words that stand for the numbers 0, 1, … of an integer attribute of some width.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Cases {
    pub bits: u32,
    pub words: &'static [&'static str],
}

/// Words that each stand for some bits of an integer attribute; those that are all set are named, in this order.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Union {
    pub bits: u32,
    pub words: &'static [(&'static str, i128)],
}

const CMPI: Cases = Cases { bits: 64, words: &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"] };
const CMPF: Cases = Cases {
    bits: 64,
    words: &[
        "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
        "true",
    ],
};
const FCMP: Cases = Cases {
    bits: 64,
    words: &[
        "_false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
        "_true",
    ],
};
// The empty place is an ordering that LLVM has given up.
const ORDERING: Cases = Cases {
    bits: 64,
    words: &["not_atomic", "unordered", "monotonic", "", "acquire", "release", "acq_rel", "seq_cst"],
};
const ATOMIC: Cases = Cases {
    bits: 64,
    words: &[
        "xchg",
        "add",
        "sub",
        "_and",
        "nand",
        "_or",
        "_xor",
        "max",
        "min",
        "umax",
        "umin",
        "fadd",
        "fsub",
        "fmax",
        "fmin",
        "uinc_wrap",
        "udec_wrap",
        "usub_cond",
        "usub_sat",
    ],
};
const ASM: Cases = Cases { bits: 64, words: &["att", "intel"] };
const COMDAT: Cases = Cases { bits: 64, words: &["any", "exactmatch", "largest", "nodeduplicate", "samesize"] };
const ROUNDING: Cases =
    Cases { bits: 32, words: &["to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"] };

const SMTCMP: Cases = Cases { bits: 64, words: &["lt", "le", "gt", "ge"] };
const DESCRIPTOR: Union = Union { bits: 32, words: &[("ReadOnly", 1), ("Indirect", 2)] };
const RESERVED: Union = Union { bits: 64, words: &[("Reserved", 1)] };
const ALLOCA: Union = Union { bits: 64, words: &[("IndeterminateLifetime", 1)] };
const DEALLOCA: Union = Union { bits: 64, words: &[("PreferOrigin", 1)] };
const COMMANDS: Union = Union { bits: 32, words: &[("OneShot", 1), ("AllowInlineExecution", 0x10)] };
const CATEGORIES: Union = Union { bits: 32, words: &[("Transfer", 1), ("Dispatch", 2)] };
const STAGES: Union = Union {
    bits: 32,
    words: &[
        ("CommandIssue", 1),
        ("CommandProcess", 2),
        ("Dispatch", 4),
        ("Transfer", 8),
        ("CommandRetire", 0x10),
        ("Host", 0x20),
    ],
};
const ACCESS: Union = Union {
    bits: 32,
    words: &[("Read", 1), ("Write", 2), ("Discard", 4), ("MayAlias", 8), ("Unaligned", 0x10), ("Any", 0x20)],
};
const MEMORY: Union = Union {
    bits: 32,
    words: &[
        ("Optimal", 1),
        ("HostVisible", 2),
        ("HostCoherent", 4),
        ("HostCached", 8),
        ("HostLocal", 0x46),
        ("DeviceVisible", 0x10),
        ("DeviceLocal", 0x30),
    ],
};
const USAGE: Union = Union {
    bits: 32,
    words: &[
        ("TransferSource", 1),
        ("TransferTarget", 2),
        ("Transfer", 3),
        ("DispatchIndirectParameters", 0x100),
        ("DispatchUniformRead", 0x200),
        ("DispatchStorageRead", 0x400),
        ("DispatchStorageWrite", 0x800),
        ("DispatchStorage", 0xc00),
        ("DispatchImageRead", 0x1000),
        ("DispatchImageWrite", 0x2000),
        ("DispatchImage", 0x3000),
        ("SharingExport", 0x10000),
        ("SharingReplicate", 0x20000),
        ("SharingConcurrent", 0x40000),
        ("SharingImmutable", 0x80000),
        ("MappingScoped", 0x100_0000),
        ("MappingPersistent", 0x200_0000),
        ("MappingOptional", 0x400_0000),
        ("MappingAccessRandom", 0x800_0000),
        ("MappingAccessSequentialWrite", 0x1000_0000),
        ("Mapping", 0x900_0000),
    ],
};
const LIFETIME: Cases = Cases { bits: 32, words: &["*", "external", "staging", "transient", "variable", "constant"] };
const WRAPS: Cases = Cases { bits: 32, words: &["nsw", "nuw"] };
const PARAM_CMP: Cases = Cases { bits: 32, words: &["eq", "ne", "lt", "le", "gt", "ge"] };
const CONTRACTION: Cases = Cases { bits: 32, words: &["dot", "llvmintr", "outerproduct", "parallelarith"] };
const TRANSPOSITION: Cases = Cases { bits: 32, words: &["eltwise", "llvmintr", "shuffle_1d", "shuffle_16x16"] };
const TRANSFER_SPLIT: Cases = Cases { bits: 32, words: &["none", "vector-transfer", "linalg-copy", "force-in-bounds"] };
const MULTI_REDUCTION: Cases = Cases { bits: 32, words: &["innerparallel", "innerreduction"] };
const INTERFACE: Cases = Cases { bits: 32, words: &["LinalgOp", "TilingInterface", "LoopLikeInterface"] };
const SIDE: Cases = Cases { bits: 32, words: &["lhs", "rhs"] };
const LAYOUT_MAP: Cases = Cases { bits: 32, words: &["InferLayoutMap", "IdentityLayoutMap", "FullyDynamicLayoutMap"] };
const WINOGRAD: Cases = Cases { bits: 32, words: &["F_2_3", "F_4_3", "F_2_5"] };
const FAILURES: Cases = Cases { bits: 32, words: &["", "propagate", "suppress"] };
pub(crate) const RMW: Cases = Cases {
    bits: 64,
    words: &[
        "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu",
        "mulf", "muli", "ori", "xori",
    ],
};

/// An inherent attribute.
#[derive(Clone, Debug)]
pub(crate) struct Inherent {
    pub name: &'static str,
    pub spelling: Spelling,
    /// What MLIR assumes when it is not given, in short spelling.
    pub default: Option<&'static str>,
    /// What MLIR's generic form shows where it is not given.
    pub shown: Option<String>,
    /// What its number may be.
    pub limit: Option<Limit>,
}

/// An element of a format.
#[derive(Clone, Debug)]
pub(crate) enum Elem {
    /// Words and signs as they stand; empty where no space is printed, one space where one always is.
    Literal(&'static str),
    Operand(usize),
    Attr(usize),
    /// The type of a group of operands, or of results where the flag is set.
    TypeOf(usize, bool),
    AttrDict,
    /// `attributes {…}`
    AttrDictKeyword,
    /// `{ … }`: the region of this number.
    Region(usize),
    /// `[4, %n]`: an attribute of numbers, and the group of values for those that are not constant.
    Mixed(usize, usize, Beside),
    /// `1, -1`, `all` or `except(1, -1)`: an attribute of positions, and `is_all` or `is_inverted`.
    Positions(usize),
    /// `<a = 1, b>`: the attributes that do not have their defaults; nothing where there is none.
    Struct(Vec<usize>),
    /// `T`, or `(T) -> R`, for an operand and for results that need not be there.
    Semi(usize, usize),
    /// All regions.
    Regions,
    /// `-> T` or `-> (T, U)` for a group of results; nothing where there is none.
    Arrow(usize),
    /// `%operand as` in front of the type of a result that is this operand's storage; readers do without.
    Tied(usize),
    /// `(operand types) -> result types`
    FunctionalType,
    /// The types of all operands.
    OperandTypes,
    /// `async [%a, %b]`: whether there is a result of this number, a token, and the group of tokens waited for.
    Async(usize, usize),
    /// `%a : T, %b : U`: a group of operands, each with its type.
    Typed(usize),
    /// `T`, or `T as U` where the type that an attribute states differs from that of a value: the attribute, and the
    /// group of operands, or of results where the flag is set.
    Alias(usize, usize, bool),
    /// `%scope::%key`, or `%key` alone: two groups of operands.
    Path(usize, usize),
    /// What follows is optional: the elements, and which of them decides whether they are printed.
    Optional(Vec<Elem>, usize),
    /// The same, and what stands there otherwise.
    Either(Vec<Elem>, usize, Vec<Elem>),
}

/// What a list of numbers and values may be besides.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Beside {
    Nothing,
    /// `[4, [8]]`: an attribute says which are in brackets.
    Scalable(usize),
    /// `*(%all)`: one value for the whole list, in a group of its own.
    Packed(usize),
}

/// A row taken apart.
pub(crate) struct Shape {
    pub operands: Vec<Group>,
    pub results: Vec<Group>,
    /// The sort of each type variable, by letter.
    pub vars: Vec<(u8, Sort)>,
    pub bodies: Vec<Body>,
    pub attrs: Vec<Inherent>,
    pub format: Vec<Elem>,
    /// The attributes that the format itself shows, and those that no assembly shows.
    pub shown: Vec<&'static str>,
    /// The attributes without which the format has a gap.
    pub needed: Vec<&'static str>,
    /// Where the format has `type{extents}`: a group of operands, or of results where the flag is set, and the group of
    /// the extents of its dynamic dimensions.
    pub extents: Vec<(usize, bool, usize)>,
    /// Where the format has `[4, %n]`: the attribute of the numbers, and the group of the values among them.
    pub mixed: Vec<(&'static str, usize)>,
    /// Whether `operandSegmentSizes` tells the groups apart.
    pub segmented: bool,
    /// Lists of numbers, each with the group of the operand that may stand in their place.
    pub packed: Vec<(&'static str, usize)>,
    /// Groups of results whose types the assembly lists, which cannot show that there is none.
    pub listed: Vec<usize>,
    /// How many operands there may be.
    pub n_operands: Arity,
    /// How many results there may be.
    pub n_results: Arity,
}

/// How many values groups take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arity {
    /// The groups of one value each: the fewest.
    pub fixed: usize,
    /// The most.
    pub most: usize,
}

impl Arity {
    fn of(groups: &[Group]) -> Arity {
        let fixed = groups.iter().filter(|group| !group.many && !group.optional).count();
        let most = if groups.iter().any(|group| group.many) { usize::MAX } else { groups.len() };
        Arity { fixed, most }
    }
}

impl Shape {
    /// The shape of an operation.
    pub fn of(opcode: Opcode) -> &'static Shape {
        // A text uses few rows of the table, and should not wait for the others.
        static SHAPES: [OnceLock<Shape>; OPS.len()] = [const { OnceLock::new() }; OPS.len()];
        match opcode {
            Opcode::Loaded(row) => loaded_shape(row),
            own => {
                let row = own.tag();
                SHAPES[row].get_or_init(|| Shape::parse(OPS[row].name, &OPS[row].form))
            }
        }
    }

    /// The sort that a rule asks for by itself.
    pub fn sort_of(&self, rule: Rule) -> Sort {
        match rule {
            Rule::Var(letter) => self.vars.iter().find(|var| var.0 == letter).map_or(Sort::Any, |var| var.1),
            Rule::Sort(sort) => sort,
            Rule::FlagFor(_) => Sort::I1,
            Rule::ElemOf(_) | Rule::BoolOf(_) | Rule::Same(_) | Rule::PairOf(_) => Sort::Any,
        }
    }

    /// The inherent attribute with this name.
    pub fn inherent(&self, name: &str) -> Option<&Inherent> {
        self.attrs.iter().find(|attr| attr.name == name)
    }

    pub(crate) fn parse(name: &str, form: &Form) -> Shape {
        let (vars, groups) = form.signature.split_once(';').unwrap_or(("", form.signature));
        let vars: Vec<(u8, Sort)> = commas(vars)
            .map(|var| {
                let (letter, sort) = var.split_once(' ').expect("a variable has a sort");
                (letter.as_bytes()[0], Sort::from_word(sort.trim()).expect("the sort is known"))
            })
            .collect();
        let groups = &groups[..groups.find('{').unwrap_or(groups.len())];
        let bodies = form.bodies().collect();
        let (operands, results) = groups.split_once("->").unwrap_or((groups, ""));
        let operands: Vec<Group> = commas(operands).map(Group::parse).collect();
        let results: Vec<Group> = commas(results).map(Group::parse).collect();
        let mut attrs: Vec<Inherent> = form.attrs.split_whitespace().map(Inherent::parse).collect();
        let segmented = operands.iter().filter(|group| group.many || group.optional).count() > 1;
        if segmented {
            attrs.push(Inherent {
                name: "operandSegmentSizes",
                spelling: Spelling::Full,
                default: None,
                shown: None,
                limit: None,
            });
        }
        let mut shape = Shape {
            n_operands: Arity::of(&operands),
            n_results: Arity::of(&results),
            operands,
            results,
            vars,
            bodies,
            attrs,
            format: Vec::new(),
            shown: Vec::new(),
            needed: Vec::new(),
            extents: Vec::new(),
            mixed: Vec::new(),
            packed: Vec::new(),
            listed: Vec::new(),
            segmented,
        };
        let mut rest = if form.format == GENERIC { "" } else { form.format };
        shape.format = shape.elems(&mut rest, name).0;
        for elem in &shape.format {
            if let Elem::Alias(attr, ..) = elem {
                shape.attrs[*attr].spelling = Spelling::Type;
            }
        }
        let mut shown = vec!["operandSegmentSizes"];
        shape.shown_by(&shape.format, &mut shown);
        shape.shown = shown;
        let gap = |elem: &Elem| match elem {
            Elem::Attr(i) | Elem::Mixed(i, ..) | Elem::Positions(i) | Elem::Alias(i, ..)
                if shape.attrs[*i].default.is_none() =>
            {
                Some(shape.attrs[*i].name)
            }
            _ => None,
        };
        let beside = |pair: &[Elem]| match pair {
            [Elem::TypeOf(types, of_results) | Elem::Alias(_, types, of_results), Elem::Optional(inner, ..)] => {
                match inner.as_slice() {
                    [.., Elem::Literal("{"), Elem::Operand(dims), Elem::Literal("}")] => {
                        Some((*types, *of_results, *dims))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let listed = |elem: &Elem| match elem {
            Elem::TypeOf(i, true) if shape.results[*i].many => Some(*i),
            _ => None,
        };
        shape.listed = shape.format.iter().filter_map(listed).collect();
        shape.extents = shape.format.windows(2).filter_map(beside).collect();
        let (mut mixed, mut packed) = (Vec::new(), Vec::new());
        shape.mixed_in(&shape.format, &mut mixed, &mut packed);
        (shape.mixed, shape.packed) = (mixed, packed);
        shape.needed = shape.format.iter().filter_map(gap).collect();
        shape
    }

    fn mixed_in(
        &self,
        elems: &[Elem],
        mixed: &mut Vec<(&'static str, usize)>,
        packed: &mut Vec<(&'static str, usize)>,
    ) {
        for elem in elems {
            match elem {
                Elem::Mixed(attr, group, beside) => {
                    mixed.push((self.attrs[*attr].name, *group));
                    if let Beside::Packed(group) = beside {
                        packed.push((self.attrs[*attr].name, *group));
                    }
                }
                Elem::Optional(inner, _) => self.mixed_in(inner, mixed, packed),
                _ => {}
            }
        }
    }

    fn shown_by(&self, elems: &[Elem], out: &mut Vec<&'static str>) {
        for elem in elems {
            match elem {
                Elem::Attr(i) | Elem::Alias(i, ..) => out.push(self.attrs[*i].name),
                Elem::Mixed(i, _, beside) => {
                    out.push(self.attrs[*i].name);
                    if let Beside::Scalable(flags) = beside {
                        out.push(self.attrs[*flags].name);
                    }
                }
                Elem::Positions(i) => out.extend([self.attrs[*i].name, "is_all", "is_inverted"]),
                Elem::Struct(attrs) => out.extend(attrs.iter().map(|&i| self.attrs[i].name)),
                Elem::Optional(inner, _) => self.shown_by(inner, out),
                Elem::Either(inner, _, other) => {
                    self.shown_by(inner, out);
                    self.shown_by(other, out);
                }
                _ => {}
            }
        }
    }

    /// Elements up to the end or a closing bracket, and the position of the one that `^` marks.
    fn elems(&self, rest: &mut &'static str, op: &str) -> (Vec<Elem>, usize) {
        let mut elems = Vec::new();
        let mut anchor = 0;
        let position = |groups: &[Group], word: &str| {
            groups.iter().position(|group| group.name == word).unwrap_or_else(|| panic!("`{op}` has no group `{word}`"))
        };
        let attr = |word: &str| {
            let at = self.attrs.iter().position(|attr| attr.name == word);
            at.unwrap_or_else(|| panic!("`{op}` has no attribute `{word}`"))
        };
        loop {
            *rest = rest.trim_start();
            if rest.is_empty() {
                return (elems, anchor);
            }
            if rest.starts_with("):(") {
                *rest = &rest[1..];
                return (elems, anchor);
            }
            if let Some(tail) = rest.strip_prefix(")?") {
                *rest = tail;
                return (elems, anchor);
            }
            if let Some(tail) = rest.strip_prefix('^') {
                *rest = tail;
                anchor = elems.len() - 1;
                continue;
            }
            if let Some(tail) = rest.strip_prefix('(') {
                *rest = tail;
                let (inner, anchor) = self.elems(rest, op);
                // What stands there otherwise follows in brackets of its own.
                elems.push(match rest.strip_prefix(":(") {
                    Some(tail) => {
                        *rest = tail;
                        Elem::Either(inner, anchor, self.elems(rest, op).0)
                    }
                    None => Elem::Optional(inner, anchor),
                });
                continue;
            }
            if let Some(tail) = rest.strip_prefix('`') {
                let (literal, tail) = tail.split_once('`').expect("a literal is closed");
                elems.push(Elem::Literal(literal));
                *rest = tail;
                continue;
            }
            if let Some(tail) = rest.strip_prefix("type(operands)") {
                elems.push(Elem::OperandTypes);
                *rest = tail;
                continue;
            }
            let type_of = rest.strip_prefix("type($");
            let len = |text: &str| text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            if let Some(tail) = type_of {
                let word = &tail[..len(tail)];
                let find = |groups: &[Group]| groups.iter().position(|group| group.name == word);
                let elem = match (find(&self.operands), find(&self.results)) {
                    (Some(i), _) => Elem::TypeOf(i, false),
                    (None, Some(i)) => Elem::TypeOf(i, true),
                    (None, None) => panic!("`{op}` has no group `{word}`"),
                };
                elems.push(elem);
                *rest = tail[word.len()..].strip_prefix(')').expect("`type(` is closed");
                continue;
            }
            if let Some(tail) = rest.strip_prefix('$') {
                let word = &tail[..len(tail)];
                let elem = match self.operands.iter().position(|group| group.name == word) {
                    Some(i) => Elem::Operand(i),
                    None => Elem::Attr(attr(word)),
                };
                elems.push(elem);
                *rest = &tail[word.len()..];
                continue;
            }
            if let Some((inner, tail)) = rest.strip_prefix("mixed(").and_then(|tail| tail.split_once(')')) {
                let mut names = inner.split(", ");
                let at = attr(names.next().unwrap_or_default());
                let group = position(&self.operands, names.next().unwrap_or_default());
                let beside = match names.next() {
                    None => Beside::Nothing,
                    Some(name) if self.inherent(name).is_some() => Beside::Scalable(attr(name)),
                    Some(name) => Beside::Packed(position(&self.operands, name)),
                };
                elems.push(Elem::Mixed(at, group, beside));
                *rest = tail;
                continue;
            }
            if let Some((name, tail)) = rest.strip_prefix("positions(").and_then(|tail| tail.split_once(')')) {
                elems.push(Elem::Positions(attr(name)));
                *rest = tail;
                continue;
            }
            if let Some((names, tail)) = rest.strip_prefix("struct(").and_then(|tail| tail.split_once(')')) {
                elems.push(Elem::Struct(names.split_whitespace().map(|name| attr(&name[1..])).collect()));
                *rest = tail;
                continue;
            }
            if let Some((names, tail)) = rest.strip_prefix("semi(").and_then(|tail| tail.split_once(')')) {
                let (operand, results) = names.split_once(", ").expect("a type and those behind the arrow");
                let semi = Elem::Semi(position(&self.operands, &operand[1..]), position(&self.results, &results[1..]));
                elems.push(semi);
                *rest = tail;
                continue;
            }
            if let Some((group, tail)) = rest.strip_prefix("arrow($").and_then(|tail| tail.split_once(')')) {
                elems.push(Elem::Arrow(position(&self.results, group)));
                *rest = tail;
                continue;
            }
            if let Some((group, tail)) = rest.strip_prefix("tied($").and_then(|tail| tail.split_once(')')) {
                elems.push(Elem::Tied(position(&self.operands, group)));
                *rest = tail;
                continue;
            }
            if let Some((inner, tail)) = rest.strip_prefix("async(").and_then(|tail| tail.split_once(')')) {
                let (token, group) = inner.split_once(", ").expect("a token and what it waits for");
                elems.push(Elem::Async(position(&self.results, token), position(&self.operands, group)));
                *rest = tail;
                continue;
            }
            if let Some((group, tail)) = rest.strip_prefix("typed($").and_then(|tail| tail.split_once(')')) {
                elems.push(Elem::Typed(position(&self.operands, group)));
                *rest = tail;
                continue;
            }
            if let Some((inner, tail)) = rest.strip_prefix("path(").and_then(|tail| tail.split_once(')')) {
                let (scope, key) = inner.split_once(", ").expect("a path has a scope and a key");
                elems.push(Elem::Path(position(&self.operands, scope), position(&self.operands, key)));
                *rest = tail;
                continue;
            }
            if let Some((inner, tail)) = rest.strip_prefix("alias(").and_then(|tail| tail.split_once(')')) {
                let (attr, group) = inner.split_once(", ").expect("an alias has an attribute and a group");
                let at = self.attrs.iter().position(|a| a.name == attr);
                let at = at.unwrap_or_else(|| panic!("`{op}` has no attribute `{attr}`"));
                let elem = match self.operands.iter().position(|other| other.name == group) {
                    Some(i) => Elem::Alias(at, i, false),
                    None => Elem::Alias(at, position(&self.results, group), true),
                };
                elems.push(elem);
                *rest = tail;
                continue;
            }
            let (elem, word) = if rest.starts_with("attr-dict-with-keyword") {
                (Elem::AttrDictKeyword, "attr-dict-with-keyword")
            } else if rest.starts_with("regions") {
                (Elem::Regions, "regions")
            } else if rest.starts_with("region0") {
                (Elem::Region(0), "region0")
            } else if rest.starts_with("region1") {
                (Elem::Region(1), "region1")
            } else if rest.starts_with("attr-dict") {
                (Elem::AttrDict, "attr-dict")
            } else if rest.starts_with("functional-type") {
                (Elem::FunctionalType, "functional-type")
            } else {
                panic!("`{op}`: the format does not go on with `{rest}`")
            };
            elems.push(elem);
            *rest = &rest[word.len()..];
        }
    }
}

fn commas(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

impl Group {
    fn parse(text: &'static str) -> Group {
        let (name, rule) = text.split_once(' ').expect("a group has a name and a type");
        let (many, optional, printed) = (name.contains('*'), name.contains('?'), name.contains('!'));
        let rule = rule.trim();
        let inner = |prefix: &str| rule.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(')'));
        let rule = if let Some(var) = inner("elem(") {
            Rule::ElemOf(var.as_bytes()[0])
        } else if let Some(var) = inner("bool(") {
            Rule::BoolOf(var.as_bytes()[0])
        } else if let Some(var) = inner("pair(") {
            Rule::PairOf(var.as_bytes()[0])
        } else if let Some(group) = inner("same(") {
            Rule::Same(group)
        } else if let Some(group) = inner("flag(") {
            Rule::FlagFor(group)
        } else if rule.len() == 1 {
            Rule::Var(rule.as_bytes()[0])
        } else {
            Rule::Sort(Sort::from_word(rule).unwrap_or_else(|| panic!("`{rule}` is no sort of type")))
        };
        Group { name: name.trim_end_matches(['*', '?', '!']), many, optional, rule, printed }
    }
}

impl Body {
    fn parse(text: &'static str) -> Body {
        let ends = text.trim_start_matches(['?', '*', '~', '+']);
        let marks = &text[..text.len() - ends.len()];
        Body {
            ends,
            empty: marks.contains('?'),
            many: marks.contains('*'),
            implied: marks.contains('~'),
            repeats: marks.contains('+'),
        }
    }
}

impl Inherent {
    /// Whether a value says what the attribute's absence says.
    pub fn is_default(&self, ir: &Ir, value: AttrId) -> bool {
        if self.spelling == Spelling::Unit {
            return ir[value] == Attr::Bool(false);
        }
        let Some(default) = self.default else { return false };
        match (self.spelling, &ir[value]) {
            (Spelling::Keyword(_) | Spelling::Angle(_), _) => ir.keyword(value) == Some(default),
            (Spelling::Dense(_), Attr::DenseArray { values, .. }) => default == "[]" && values.is_empty(),
            (Spelling::Cases(cases), Attr::Int { value, .. }) => {
                usize::try_from(*value).is_ok_and(|value| cases.words.get(value) == Some(&default))
            }
            (Spelling::Text, Attr::Str(text)) => ir[*text] == *default.trim_matches('"'),
            (Spelling::Full, Attr::Dict(entries)) => default == "{}" && entries.is_empty(),
            (Spelling::Bool, Attr::Bool(value)) => default == if *value { "true" } else { "false" },
            (Spelling::Int(_) | Spelling::Flags(_), attr) => attr.as_i64() == default.parse().ok(),
            (Spelling::F32, Attr::Float { bits, .. }) => default.parse() == Ok(f64::from_bits(*bits) as f32),
            (Spelling::Full, Attr::Array(items)) => default == "[]" && items.is_empty(),
            (Spelling::Full | Spelling::Of(_), Attr::Dialect { name, body: attrs::Body::None }) => {
                ir[*name] == *default
            }
            _ => false,
        }
    }

    fn parse(text: &'static str) -> Inherent {
        let (text, default) = match text.split_once('=') {
            Some((text, default)) => (text, Some(default)),
            None => (text, None),
        };
        // `=?` marks what even the generic form leaves out.
        let is_shown = default.is_some_and(|default| !default.starts_with('?'));
        let default = default.map(|default| default.trim_start_matches('?'));
        let (text, limit) = match text.strip_suffix('}').and_then(|text| text.split_once('{')) {
            Some((text, limit)) => (text, Some(Limit::parse(limit).unwrap_or_else(|| panic!("`{limit}` is no limit")))),
            None => (text, None),
        };
        let (name, spelling) = text.split_once(':').unwrap_or((text, ""));
        let spelling = match spelling {
            // What these hold is the same in every operation.
            "" => match name {
                "sym_name" => Spelling::Name,
                "sym_visibility" => Spelling::Visibility,
                "callee" | "function_ref" => Spelling::Symbol,
                "entry_points" => Spelling::Symbols,
                "function_type" => Spelling::Function,
                "arg_attrs" | "res_attrs" => Spelling::Dicts,
                "tied_operands" => Spelling::Indices,
                "static_offsets" | "static_sizes" | "static_strides" | "static_low" | "static_high" => {
                    Spelling::Dense(64)
                }
                _ => Spelling::Full,
            },
            "typed" => Spelling::Typed,
            "unit" => Spelling::Unit,
            "bool" => Spelling::Bool,
            "digits" => Spelling::Digits,
            "dense" => Spelling::Dense(64),
            "dense32" => Spelling::Dense(32),
            "name" => Spelling::Name,
            "symbol" => Spelling::Symbol,
            "indices" => Spelling::Indices,
            "str" => Spelling::Text,
            "visibility" => Spelling::Visibility,
            "@cmpi" => Spelling::Cases(&CMPI),
            "@smtcmp" => Spelling::Cases(&SMTCMP),
            "@cmpf" => Spelling::Cases(&CMPF),
            "@asm" => Spelling::Cases(&ASM),
            "@comdat" => Spelling::Cases(&COMDAT),
            "@icmp" => Spelling::Quoted(&CMPI),
            "@fcmp" => Spelling::Quoted(&FCMP),
            "@ordering" => Spelling::Cases(&ORDERING),
            "@atomic" => Spelling::Cases(&ATOMIC),
            "@wraps" => Spelling::Flags(&WRAPS),
            "@descriptor" => Spelling::Bits(&DESCRIPTOR),
            "@reserved" => Spelling::Bits(&RESERVED),
            "@alloca" => Spelling::Bits(&ALLOCA),
            "@dealloca" => Spelling::Bits(&DEALLOCA),
            "@commands" => Spelling::Bits(&COMMANDS),
            "@categories" => Spelling::Bits(&CATEGORIES),
            "@stages" => Spelling::Bits(&STAGES),
            "@access" => Spelling::Bits(&ACCESS),
            "@memory" => Spelling::Bits(&MEMORY),
            "@usage" => Spelling::Bits(&USAGE),
            "@lifetime" => Spelling::Cases(&LIFETIME),
            "f32" => Spelling::F32,
            "@failures" => Spelling::Cases(&FAILURES),
            "@paramcmp" => Spelling::Cases(&PARAM_CMP),
            "@contraction" => Spelling::Cases(&CONTRACTION),
            "@transposition" => Spelling::Cases(&TRANSPOSITION),
            "@transfersplit" => Spelling::Cases(&TRANSFER_SPLIT),
            "@multireduction" => Spelling::Cases(&MULTI_REDUCTION),
            "@interface" => Spelling::Cases(&INTERFACE),
            "@side" => Spelling::Cases(&SIDE),
            "@layoutmap" => Spelling::Cases(&LAYOUT_MAP),
            "@rmw" => Spelling::Cases(&RMW),
            "@winograd" => Spelling::Cases(&WINOGRAD),
            "@rw" => Spelling::Either(["read", "write"]),
            "@cache" => Spelling::Either(["instr", "data"]),
            "@rounding" => Spelling::Cases(&ROUNDING),
            word if word.starts_with("of(") => Spelling::Of(&word[3..word.len() - 1]),
            word if word.starts_with('[') => Spelling::List(word.trim_matches(['[', ']'])),
            word if word.starts_with('#') => Spelling::Body(&word[1..]),
            word if word.starts_with('<') => Spelling::Angle(word.trim_matches(['<', '>'])),
            word if word.contains('.') => Spelling::Keyword(word),
            word => Spelling::Int(word),
        };
        let shown = default.filter(|_| is_shown).map(|default| match spelling {
            Spelling::Keyword(name) | Spelling::Angle(name) => format!("#{name}<{default}>"),
            Spelling::Int(ty) => format!("{default} : {ty}"),
            Spelling::F32 => format!("{default} : f32"),
            Spelling::Flags(cases) => format!("{default} : i{}", cases.bits),
            Spelling::Dense(bits) => format!("array<i{bits}>"),
            Spelling::Cases(cases) => {
                let number = cases.words.iter().position(|word| *word == default).expect("the default is a case");
                format!("{number} : i{}", cases.bits)
            }
            // An attribute of a dialect, without parameters.
            Spelling::Full | Spelling::Of(_) if default.contains('.') => format!("#{default}"),
            _ => default.to_owned(),
        });
        Inherent { name, spelling, default, shown, limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row's texts can be taken apart, and every variable has a sort.
    #[test]
    fn rows_are_well_formed() {
        for row in OPS {
            let shape = Shape::parse(row.name, &row.form);
            for group in shape.operands.iter().chain(&shape.results) {
                if let Rule::Var(letter) | Rule::ElemOf(letter) | Rule::BoolOf(letter) = group.rule {
                    assert!(shape.vars.iter().any(|var| var.0 == letter), "{}: {group:?}", row.name);
                }
            }
        }
    }
}
