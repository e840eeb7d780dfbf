//! The elements of custom assembly: a format taken apart, and which attributes it shows.

use super::{Group, Shape};

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

impl Shape {
    /// Lists of numbers and values among elements, and those that one value may stand for.
    pub(super) fn mixed_in(
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

    /// The attributes that elements show.
    pub(super) fn shown_by(&self, elems: &[Elem], out: &mut Vec<&'static str>) {
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
    pub(super) fn elems(&self, rest: &mut &'static str, op: &str) -> (Vec<Elem>, usize) {
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
