//! What a row of the op table says about operands, results, attributes and assembly, taken apart.
//!
//! A row gives three short texts. The *signature* names groups of operands and results with their types:
//!
//! ```text
//! T floatlike; lhs T, rhs T -> result T          one type for all three, a float or a shape of floats
//! base memref, indices* index -> result vector   `*` any number, `?` none or one
//! ```
//!
//! The *attributes* are the inherent ones, each with what its short spelling means, and its default:
//! `fastmath:arith.fastmath=none dimension:gpu.dim upper_bound:index`. The *format* is the custom assembly as in MLIR's
//! own declarative formats; operations without one have a hand-written pair in `text/custom`.

use std::sync::LazyLock;

use crate::attrs::{Attr, Body};
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
    Shaped,
    Index,
    I1,
    I32,
    Scalar,
}

impl Sort {
    fn from_word(word: &str) -> Option<Sort> {
        Some(match word {
            "any" => Sort::Any,
            "floatlike" => Sort::FloatLike,
            "intlike" => Sort::IntLike,
            "vector" => Sort::Vector,
            "tensor" => Sort::Tensor,
            "memref" => Sort::MemRef,
            "shaped" => Sort::Shaped,
            "index" => Sort::Index,
            "i1" => Sort::I1,
            "i32" => Sort::I32,
            "scalar" => Sort::Scalar,
            _ => return None,
        })
    }

    /// What a diagnostic calls it.
    pub fn describe(self) -> &'static str {
        match self {
            Sort::Any => "any type",
            Sort::FloatLike => "a float, or a vector or tensor of floats",
            Sort::IntLike => "a signless integer or index, or a vector or tensor of these",
            Sort::Vector => "a vector",
            Sort::Tensor => "a ranked tensor",
            Sort::MemRef => "a memref",
            Sort::Shaped => "a vector, tensor or memref",
            Sort::Index => "`index`",
            Sort::I1 => "`i1`",
            Sort::I32 => "`i32`",
            Sort::Scalar => "an integer, index or float",
        }
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
            Sort::Shaped => ty.shape().is_some(),
            Sort::Index => *ty == Type::Index,
            Sort::I1 => matches!(ty, Type::Integer { width: 1, sign: Sign::Signless }),
            Sort::I32 => matches!(ty, Type::Integer { width: 32, sign: Sign::Signless }),
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
}

/// How the short spelling of an attribute reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spelling {
    /// Any attribute, in full.
    Full,
    /// The word in `#name<word>`.
    Keyword(&'static str),
    /// The number of an integer attribute of this type.
    Int(&'static str),
    /// `<word>` for `#name<word>`.
    Angle(&'static str),
    /// A word for each number of an integer attribute.
    Cases(&'static Cases),
    /// `[1, 2]` for `array<i64: 1, 2>`.
    DenseI64,
    /// `true` or `false`
    Bool,
    /// There or not.
    Unit,
}

/// Words that stand for the numbers 0, 1, … of an integer attribute of some width.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Cases {
    pub bits: u32,
    pub words: &'static [&'static str],
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

/// An inherent attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inherent {
    pub name: &'static str,
    pub spelling: Spelling,
    /// What MLIR assumes when it is not given, in short spelling.
    pub default: Option<&'static str>,
}

/// An element of a format.
#[derive(Clone, Debug)]
pub(crate) enum Elem {
    Literal(&'static str),
    Operand(usize),
    Attr(usize),
    /// The type of a group of operands, or of results where the flag is set.
    TypeOf(usize, bool),
    AttrDict,
    /// `(operand types) -> result types`
    FunctionalType,
    /// What follows is optional: the elements, and which of them decides whether they are printed.
    Optional(Vec<Elem>, usize),
}

/// A row taken apart.
pub(crate) struct Shape {
    pub operands: Vec<Group>,
    pub results: Vec<Group>,
    /// The sort of each type variable, by letter.
    pub vars: Vec<(u8, Sort)>,
    pub attrs: Vec<Inherent>,
    pub format: Vec<Elem>,
    /// Whether `operandSegmentSizes` tells the groups apart.
    pub segmented: bool,
}

impl Shape {
    /// The shape of an operation.
    pub fn of(opcode: Opcode) -> &'static Shape {
        static SHAPES: LazyLock<Vec<Shape>> =
            LazyLock::new(|| OPS.iter().map(|row| Shape::parse(row.name, &row.form)).collect());
        &SHAPES[opcode as usize]
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
        let (operands, results) = groups.split_once("->").unwrap_or((groups, ""));
        let operands: Vec<Group> = commas(operands).map(Group::parse).collect();
        let results: Vec<Group> = commas(results).map(Group::parse).collect();
        let mut attrs: Vec<Inherent> = form.attrs.split_whitespace().map(Inherent::parse).collect();
        let segmented = operands.iter().filter(|group| group.many || group.optional).count() > 1;
        if segmented {
            attrs.push(Inherent { name: "operandSegmentSizes", spelling: Spelling::Full, default: None });
        }
        let mut shape = Shape { operands, results, vars, attrs, format: Vec::new(), segmented };
        let mut rest = form.format;
        shape.format = shape.elems(&mut rest, name).0;
        shape
    }

    /// Elements up to the end or a closing bracket, and the position of the one that `^` marks.
    fn elems(&self, rest: &mut &'static str, op: &str) -> (Vec<Elem>, usize) {
        let mut elems = Vec::new();
        let mut anchor = 0;
        loop {
            *rest = rest.trim_start();
            if rest.is_empty() {
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
                elems.push(Elem::Optional(inner, anchor));
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
            let (elem, word) = if rest.starts_with("attr-dict") {
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
        let (many, optional) = (name.ends_with('*'), name.ends_with('?'));
        let rule = rule.trim();
        let inner = |prefix: &str| rule.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(')'));
        let rule = if let Some(var) = inner("elem(") {
            Rule::ElemOf(var.as_bytes()[0])
        } else if let Some(var) = inner("bool(") {
            Rule::BoolOf(var.as_bytes()[0])
        } else if rule.len() == 1 {
            Rule::Var(rule.as_bytes()[0])
        } else {
            Rule::Sort(Sort::from_word(rule).unwrap_or_else(|| panic!("`{rule}` is no sort of type")))
        };
        Group { name: name.trim_end_matches(['*', '?']), many, optional, rule }
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
            (Spelling::Bool, Attr::Bool(value)) => default == if *value { "true" } else { "false" },
            (Spelling::Int(_), attr) => attr.as_i64() == default.parse().ok(),
            (Spelling::Full, Attr::Dialect { name, body: Body::None }) => ir[*name] == *default,
            _ => false,
        }
    }

    fn parse(text: &'static str) -> Inherent {
        let (text, default) = match text.split_once('=') {
            Some((text, default)) => (text, Some(default)),
            None => (text, None),
        };
        let (name, spelling) = text.split_once(':').unwrap_or((text, ""));
        let spelling = match spelling {
            "" => Spelling::Full,
            "unit" => Spelling::Unit,
            "bool" => Spelling::Bool,
            "dense" => Spelling::DenseI64,
            "@cmpi" => Spelling::Cases(&CMPI),
            "@cmpf" => Spelling::Cases(&CMPF),
            "@rounding" => Spelling::Cases(&ROUNDING),
            word if word.starts_with('<') => Spelling::Angle(word.trim_matches(['<', '>'])),
            word if word.contains('.') => Spelling::Keyword(word),
            word => Spelling::Int(word),
        };
        Inherent { name, spelling, default }
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
