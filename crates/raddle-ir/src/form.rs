//! What a row of the op table says about operands, results, attributes and assembly, taken apart.
//!
//! A row gives three short texts. The *signature* names groups of operands and results with their types:
//!
//! ```text
//! T floatlike; lhs T, rhs T -> result T          one type for all three, a float or a shape of floats
//! base memref, indices* index -> result vector   `*` any number, `?` none or one
//! source tensor, index index -> dim! index         `!` the name that the result has in print
//! inputs* any -> results* any {iree_gpu.yield}     one region of one block, and what ends it
//! ```
//!
//! In front of what ends a region, `?` says that it may have no block, `*` that it may have several, `~` that the
//! terminator goes without saying where it takes nothing, `+` that there is any number of such regions; `{}` asks for
//! no terminator.
//!
//! The *attributes* are the inherent ones, each with what its short spelling means, and its default:
//! `fastmath:arith.fastmath=none dimension:gpu.dim upper_bound:index`. The *format* is the custom assembly as in MLIR's
//! own declarative formats; operations without one have a hand-written pair in `text/custom`.

use std::sync::LazyLock;

use crate::attrs::{self, Attr};
use crate::ids::{AttrId, TypeId};
use crate::ir::Ir;
use crate::ops::{OPS, Opcode};
use crate::types::{Sign, Type};

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

/// Sorts of types that a signature asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Any,
    FloatLike,
    /// Signless integers, `index` and shapes of them.
    IntLike,
    Vector,
    Tensor,
    MemRef,
    /// A ranked tensor or a memref.
    Ranked,
    Shaped,
    /// A ranked tensor or a scalar.
    Operand,
    Index,
    I1,
    I32,
    I64,
    I14,
    /// `index` or vectors of it; where no type is stated, `index`.
    IndexLike,
    Scalar,
    /// A type of a dialect without parameters, by its name.
    Dialect(&'static str),
    /// A type of a dialect with parameters, by its name; an assembly that knows it prints the parameters alone.
    Parametric(&'static str),
}

impl Sort {
    fn from_word(word: &'static str) -> Option<Sort> {
        Some(match word {
            "any" => Sort::Any,
            "floatlike" => Sort::FloatLike,
            "intlike" => Sort::IntLike,
            "vector" => Sort::Vector,
            "tensor" => Sort::Tensor,
            "memref" => Sort::MemRef,
            "ranked" => Sort::Ranked,
            "shaped" => Sort::Shaped,
            "operand" => Sort::Operand,
            "index" => Sort::Index,
            "i1" => Sort::I1,
            "i32" => Sort::I32,
            "i64" => Sort::I64,
            "i14" => Sort::I14,
            "indexlike" => Sort::IndexLike,
            word if word.starts_with('!') => match word[1..].strip_suffix("<>") {
                Some(name) => Sort::Parametric(name),
                None => Sort::Dialect(&word[1..]),
            },
            "scalar" => Sort::Scalar,
            _ => return None,
        })
    }

    /// What a diagnostic calls it.
    pub fn describe(self) -> String {
        match self {
            Sort::Dialect(name) => format!("`!{name}`"),
            Sort::Parametric(name) => format!("`!{name}<…>`"),
            sort => sort.words().0.to_owned(),
        }
    }

    /// What MLIR's own verifiers call it.
    pub fn constraint(self) -> String {
        match self {
            Sort::Dialect(name) | Sort::Parametric(name) => format!("!{name}"),
            sort => sort.words().1.to_owned(),
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Sort::Any | Sort::Dialect(_) | Sort::Parametric(_) => ("any type", "any type"),
            Sort::FloatLike => ("a float, or a vector or tensor of floats", "floating-point-like"),
            Sort::IntLike => ("a signless integer or index, or a vector or tensor of these", "signless-integer-like"),
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
            Sort::I1 => ("`i1`", "1-bit signless integer"),
            Sort::I32 => ("`i32`", "32-bit signless integer"),
            Sort::I64 => ("`i64`", "64-bit signless integer"),
            Sort::I14 => ("`i14`", "14-bit signless integer"),
            Sort::IndexLike => ("`index` or a vector of it", "index or vector of index"),
            Sort::Scalar => ("an integer, index or float", "integer or index or floating-point"),
        }
    }

    /// The `<…>` of a type of this sort, if that is how its assembly prints it.
    pub fn parameters<'ir>(self, ir: &'ir Ir, ty: &Type) -> Option<&'ir str> {
        let (Sort::Parametric(name), Type::Dialect(text)) = (self, ty) else { return None };
        ir[*text].strip_prefix(name).filter(|rest| rest.starts_with('<'))
    }

    /// Whether a type is of this sort.
    pub fn holds(self, ir: &Ir, ty: TypeId) -> bool {
        let ty = &ir[ty];
        // What an elementwise operation acts on: the type itself, or the elements of a vector or tensor.
        let elem = match ty {
            Type::Vector { elem, .. } | Type::Tensor { elem, .. } | Type::UnrankedTensor(elem) => &ir[*elem],
            ty => ty,
        };
        let signless = matches!(elem, Type::Integer { sign: Sign::Signless, .. } | Type::Index);
        match self {
            Sort::Any => true,
            Sort::FloatLike => matches!(elem, Type::Float(_)),
            Sort::IntLike => signless,
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
            Sort::I1 => matches!(ty, Type::Integer { width: 1, sign: Sign::Signless }),
            Sort::I32 => matches!(ty, Type::Integer { width: 32, sign: Sign::Signless }),
            Sort::I64 => matches!(ty, Type::Integer { width: 64, sign: Sign::Signless }),
            Sort::I14 => matches!(ty, Type::Integer { width: 14, sign: Sign::Signless }),
            Sort::IndexLike => matches!(elem, Type::Index),
            Sort::Dialect(name) => matches!(ty, Type::Dialect(text) if ir[*text] == *name),
            Sort::Parametric(_) => self.parameters(ir, ty).is_some(),
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
    /// `[1, 2]` for `array<i64: 1, 2>`.
    DenseI64,
    /// `true` or `false`
    Bool,
    /// The number of an attribute of type `f32`.
    F32,
    /// There or not.
    Unit,
    /// `@name` for `"name"`.
    Name,
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
const FAILURES: Cases = Cases { bits: 32, words: &["", "propagate", "suppress"] };
const RMW: Cases = Cases {
    bits: 64,
    words: &[
        "addf", "addi", "assign", "maximumf", "maxs", "maxu", "minimumf", "mins", "minu", "mulf", "muli", "ori",
        "andi", "maxnumf", "minnumf", "xori",
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
    Mixed(usize, usize),
    /// `-> T` or `-> (T, U)` for a group of results; nothing where there is none.
    Arrow(usize),
    /// `%operand as` in front of the type of a result that is this operand's storage; readers do without.
    Tied(usize),
    /// `(operand types) -> result types`
    FunctionalType,
    /// `[%a : T, %b : U]`: a group of operands, each with its type.
    Typed(usize),
    /// `T`, or `T as U` where the type that an attribute states differs from that of a value: the attribute, and the
    /// group of operands, or of results where the flag is set.
    Alias(usize, usize, bool),
    /// `%scope::%key`, or `%key` alone: two groups of operands.
    Path(usize, usize),
    /// What follows is optional: the elements, which of them decides whether they are printed, and what stands there
    /// otherwise.
    Optional(Vec<Elem>, usize, Vec<Elem>),
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
}

impl Shape {
    /// The shape of an operation.
    pub fn of(opcode: Opcode) -> &'static Shape {
        Shape::number(opcode as usize)
    }

    /// The shape of a row of the table.
    pub fn number(row: usize) -> &'static Shape {
        static SHAPES: LazyLock<Vec<Shape>> =
            LazyLock::new(|| OPS.iter().map(|row| Shape::parse(row.name, &row.form)).collect());
        &SHAPES[row]
    }

    /// The inherent attribute with this name.
    pub fn inherent(&self, name: &str) -> Option<&Inherent> {
        self.attrs.iter().find(|attr| attr.name == name)
    }

    fn parse(name: &str, form: &Form) -> Shape {
        let (vars, groups) = form.signature.split_once(';').unwrap_or(("", form.signature));
        let vars: Vec<(u8, Sort)> = commas(vars)
            .map(|var| {
                let (letter, sort) = var.split_once(' ').expect("a variable has a sort");
                (letter.as_bytes()[0], Sort::from_word(sort.trim()).expect("the sort is known"))
            })
            .collect();
        let (groups, bodies) = groups.split_at(groups.find('{').unwrap_or(groups.len()));
        let bodies = bodies.split('{').skip(1).map(|body| Body::parse(body.trim_end().trim_end_matches('}'))).collect();
        let (operands, results) = groups.split_once("->").unwrap_or((groups, ""));
        let operands: Vec<Group> = commas(operands).map(Group::parse).collect();
        let results: Vec<Group> = commas(results).map(Group::parse).collect();
        let mut attrs: Vec<Inherent> = form.attrs.split_whitespace().map(Inherent::parse).collect();
        let segmented = operands.iter().filter(|group| group.many || group.optional).count() > 1;
        if segmented {
            attrs.push(Inherent { name: "operandSegmentSizes", spelling: Spelling::Full, default: None, shown: None });
        }
        let mut shape = Shape {
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
            segmented,
        };
        let mut rest = form.format;
        shape.format = shape.elems(&mut rest, name).0;
        let mut shown = vec!["operandSegmentSizes"];
        shape.shown_by(&shape.format, &mut shown);
        shape.shown = shown;
        let gap = |elem: &Elem| match elem {
            Elem::Attr(i) | Elem::Mixed(i, _) | Elem::Alias(i, ..) if shape.attrs[*i].default.is_none() => {
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
        shape.extents = shape.format.windows(2).filter_map(beside).collect();
        let mut mixed = Vec::new();
        shape.mixed_in(&shape.format, &mut mixed);
        shape.mixed = mixed;
        shape.needed = shape.format.iter().filter_map(gap).collect();
        shape
    }

    fn mixed_in(&self, elems: &[Elem], out: &mut Vec<(&'static str, usize)>) {
        for elem in elems {
            match elem {
                Elem::Mixed(attr, group) => out.push((self.attrs[*attr].name, *group)),
                Elem::Optional(inner, ..) => self.mixed_in(inner, out),
                _ => {}
            }
        }
    }

    fn shown_by(&self, elems: &[Elem], out: &mut Vec<&'static str>) {
        for elem in elems {
            match elem {
                Elem::Attr(i) | Elem::Mixed(i, _) | Elem::Alias(i, ..) => out.push(self.attrs[*i].name),
                Elem::Optional(inner, ..) => self.shown_by(inner, out),
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
        loop {
            *rest = rest.trim_start();
            if rest.is_empty() {
                return (elems, anchor);
            }
            if let Some(tail) = rest.strip_prefix(")?").or_else(|| rest.strip_prefix("):(")) {
                let ends = rest.starts_with(")?");
                // What stands there otherwise is for the caller.
                *rest = if ends { tail } else { &rest[1..] };
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
                let mut other = Vec::new();
                if let Some(tail) = rest.strip_prefix(":(") {
                    *rest = tail;
                    other = self.elems(rest, op).0;
                }
                elems.push(Elem::Optional(inner, anchor, other));
                continue;
            }
            if let Some(tail) = rest.strip_prefix('`') {
                let (literal, tail) = tail.split_once('`').expect("a literal is closed");
                elems.push(Elem::Literal(literal));
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
                    None => {
                        let at = self.attrs.iter().position(|attr| attr.name == word);
                        Elem::Attr(at.unwrap_or_else(|| panic!("`{op}` has no attribute `{word}`")))
                    }
                };
                elems.push(elem);
                *rest = &tail[word.len()..];
                continue;
            }
            if let Some((inner, tail)) = rest.strip_prefix("mixed(").and_then(|tail| tail.split_once(')')) {
                let (attr, group) = inner.split_once(", ").expect("a mixed list has an attribute and a group");
                let at = self.attrs.iter().position(|a| a.name == attr);
                let at = at.unwrap_or_else(|| panic!("`{op}` has no attribute `{attr}`"));
                elems.push(Elem::Mixed(at, position(&self.operands, group)));
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
        } else if let Some(group) = inner("same(") {
            Rule::Same(group)
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
            (Spelling::DenseI64, Attr::DenseArray { values, .. }) => default == "[]" && values.is_empty(),
            (Spelling::Bool, Attr::Bool(value)) => default == if *value { "true" } else { "false" },
            (Spelling::Int(_) | Spelling::Flags(_), attr) => attr.as_i64() == default.parse().ok(),
            (Spelling::F32, Attr::Float { bits, .. }) => default.parse() == Ok(f64::from_bits(*bits) as f32),
            (Spelling::Full, Attr::Array(items)) => default == "[]" && items.is_empty(),
            (Spelling::Full, Attr::Dialect { name, body: attrs::Body::None }) => ir[*name] == *default,
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
        let (name, spelling) = text.split_once(':').unwrap_or((text, ""));
        let spelling = match spelling {
            "" => Spelling::Full,
            "typed" => Spelling::Typed,
            "unit" => Spelling::Unit,
            "bool" => Spelling::Bool,
            "digits" => Spelling::Digits,
            "dense" => Spelling::DenseI64,
            "name" => Spelling::Name,
            "str" => Spelling::Text,
            "visibility" => Spelling::Visibility,
            "@cmpi" => Spelling::Cases(&CMPI),
            "@smtcmp" => Spelling::Cases(&SMTCMP),
            "@cmpf" => Spelling::Cases(&CMPF),
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
            "@rmw" => Spelling::Cases(&RMW),
            "@rounding" => Spelling::Cases(&ROUNDING),
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
            Spelling::DenseI64 => "array<i64>".to_owned(),
            Spelling::Full if name == "value" => format!("#{default}"),
            _ => default.to_owned(),
        });
        Inherent { name, spelling, default, shown }
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
