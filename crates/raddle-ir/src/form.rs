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
//! A type is a sort, such as `vector`, or what instructions ask for, such as `4/8xf16` (`form/among.rs`).
//!
//! In front of what ends a region, `?` says that it may have no block, `*` that it may have several, `~` that the
//! terminator goes without saying where it takes nothing, `+` that there is any number of such regions; `{}` asks for
//! no terminator.
//!
//! The *attributes* are the inherent ones, each with what its short spelling means, what its number may be, and its
//! default: `fastmath:arith.fastmath=none tbaa:[llvm.tbaa_tag] k:i32{16/32}`. The *format* is the custom assembly as in
//! MLIR's own declarative formats; operations without one have a hand-written pair in `text/custom`.

mod among;
mod elements;
mod inherent;
mod limit;
mod sort;
mod words;

use std::sync::OnceLock;

pub(crate) use self::elements::{Beside, Elem};
pub(crate) use self::inherent::{Inherent, Spelling};
pub(crate) use self::sort::Sort;
pub(crate) use self::words::{Cases, RMW};
use crate::ops::{OPS, Opcode, loaded_shape};

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
    /// Whether the type of some group follows from a type variable.
    pub derives: bool,
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
        // A text uses few rows of the table, and should not wait for the others, nor should the program have room for them.
        static SHAPES: [OnceLock<Box<Shape>>; OPS.len()] = [const { OnceLock::new() }; OPS.len()];
        match SHAPES.get(opcode.place()) {
            Some(own) => own.get_or_init(|| Box::new(Shape::parse(opcode.name(), &opcode.info().form))),
            None => loaded_shape(opcode),
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
        let derives = |group: &Group| matches!(group.rule, Rule::ElemOf(_) | Rule::BoolOf(_));
        let mut shape = Shape {
            derives: operands.iter().chain(&results).any(derives),
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
            Rule::Sort(Sort::from_word(rule).unwrap_or_else(|| panic!("`{rule}` is not a sort of type")))
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
