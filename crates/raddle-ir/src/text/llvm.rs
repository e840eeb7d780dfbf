//! Types of `llvm`, which memory keeps as text: taken apart, and refused where there is no such type.
//!
//! Inside of another one they stand without the name of the dialect, as in `!llvm.struct<(ptr, array<4 x f32>)>`.

use std::collections::BTreeMap;

use super::named::split_at_depth;
use crate::ids::TypeId;
use crate::ir::Ir;
use crate::types::{Float, Scalar, Sign, Type};

/// A type of the dialect; its parts are spelled as they stand inside of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Llvm<'t> {
    /// What names its memory: nothing, a number or an attribute.
    Pointer(&'t str),
    /// How many of what.
    Array(u64, &'t str),
    /// Fields one behind the other.
    Struct(Struct<'t>),
    /// A function.
    Func {
        /// `void`, if it returns nothing.
        result: &'t str,
        /// What it takes.
        inputs: Vec<&'t str>,
        /// Whether it takes more than that.
        variadic: bool,
    },
    /// The name, and the parameters behind it.
    Target(&'t str, Vec<&'t str>),
    /// `void`, `label`, `token`, `metadata`, `ppc_fp128`, `x86_amx`
    Plain(&'t str),
}

/// `struct<"name", packed (a, b)>`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Struct<'t> {
    /// In its quotes.
    pub name: Option<&'t str>,
    /// Whether there is nothing between the fields.
    pub packed: bool,
    /// What it holds.
    pub body: StructBody<'t>,
}

/// What a struct holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StructBody<'t> {
    /// The types, in order.
    Fields(Vec<&'t str>),
    /// `opaque`
    Opaque,
    /// The name alone, inside the struct that has it.
    Recursive,
}

impl<'t> Llvm<'t> {
    /// A type by its text, with or without `!llvm.`; types of other dialects are none.
    pub fn of(text: &'t str) -> Option<Llvm<'t>> {
        let text = text.trim();
        let text = text.strip_prefix("!llvm.").unwrap_or(text);
        let (name, inner) = match text.split_once('<') {
            Some((name, rest)) => (name.trim_end(), rest.strip_suffix('>')?.trim()),
            None => (text, ""),
        };
        Some(match name {
            "ptr" => Llvm::Pointer(inner),
            "array" => {
                let (count, elem) = inner.split_once('x')?;
                Llvm::Array(count.trim().parse().ok()?, elem.trim())
            }
            "struct" => Llvm::Struct(Struct::of(inner)?),
            "func" => {
                let result = *split_at_depth(inner, " (").first()?;
                let inputs = inner.get(result.len()..)?.trim().strip_prefix('(')?.strip_suffix(')')?;
                let mut inputs = commas(inputs);
                let variadic = inputs.last() == Some(&"...");
                inputs.truncate(inputs.len() - usize::from(variadic));
                Llvm::Func { result, inputs, variadic }
            }
            "target" => {
                let mut params = commas(inner);
                if params.is_empty() {
                    return None;
                }
                Llvm::Target(params.remove(0), params)
            }
            "void" | "label" | "token" | "metadata" | "ppc_fp128" | "x86_amx" => Llvm::Plain(name),
            _ => return None,
        })
    }

    /// The type, if it is one of the dialect's.
    pub fn of_type(ir: &'t Ir, ty: TypeId) -> Option<Llvm<'t>> {
        match &ir[ty] {
            Type::Dialect(text) => Llvm::of(ir[*text].strip_prefix("llvm.")?),
            _ => None,
        }
    }

    /// The fields of a struct.
    pub fn fields(&self) -> Option<&[&'t str]> {
        match self {
            Llvm::Struct(ty) => Some(ty.fields()),
            _ => None,
        }
    }
}

impl<'t> Struct<'t> {
    /// The fields that are known.
    pub fn fields(&self) -> &[&'t str] {
        match &self.body {
            StructBody::Fields(fields) => fields,
            StructBody::Opaque | StructBody::Recursive => &[],
        }
    }

    fn of(inner: &'t str) -> Option<Struct<'t>> {
        let name = inner.starts_with('"').then(|| split_at_depth(inner, ",")[0]);
        let body = match name {
            Some(name) => inner.get(name.len()..)?.trim_start_matches(',').trim(),
            None => inner,
        };
        let (packed, fields) = match body.strip_prefix("packed") {
            Some(rest) => (true, rest.trim()),
            None => (false, body),
        };
        let body = match fields {
            "" if name.is_some() => StructBody::Recursive,
            "opaque" => StructBody::Opaque,
            fields => StructBody::Fields(commas(fields.strip_prefix('(')?.strip_suffix(')')?)),
        };
        Some(Struct { name: name.map(str::trim), packed, body })
    }
}

fn commas(text: &str) -> Vec<&str> {
    split_at_depth(text, ",").into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Whether values of LLVM may have a type, whatever stands inside of it.
pub fn is_llvm(ir: &Ir, ty: &Type) -> bool {
    match ty {
        Type::Integer { sign: Sign::Signless, .. } => true,
        Type::Dialect(text) => ir[*text].starts_with("llvm.") || ir[*text].starts_with("ptr.ptr<#llvm."),
        ty => is_llvm_float(ir, ty) || is_llvm_vector(ir, ty),
    }
}

/// Whether LLVM has a type for this float.
pub fn is_llvm_float(ir: &Ir, ty: &Type) -> bool {
    match ty {
        Type::Float(float) => {
            matches!(float, Float::BF16 | Float::F16 | Float::F32 | Float::F64 | Float::F80 | Float::F128)
        }
        Type::Dialect(text) => ir[*text] == *"llvm.ppc_fp128",
        _ => false,
    }
}

/// Whether a type is a pointer.
pub fn is_llvm_pointer(ir: &Ir, ty: &Type) -> bool {
    matches!(ty, Type::Dialect(text) if ir[*text] == *"llvm.ptr" || ir[*text].starts_with("llvm.ptr<"))
}

/// Whether this is a vector of one dimension whose elements LLVM may have in vectors.
pub fn is_llvm_vector(ir: &Ir, ty: &Type) -> bool {
    let Type::Vector { shape, elem, .. } = ty else { return false };
    shape.len() == 1
        && match &ir[*elem] {
            Type::Integer { sign, .. } => *sign == Sign::Signless,
            elem @ Type::Float(_) => is_llvm_float(ir, elem),
            elem => is_llvm_pointer(ir, elem) || matches!(elem, Type::Dialect(_)) && is_llvm(ir, elem),
        }
}

/// Whether a type is spelled like this inside of another one.
pub fn is_part(ir: &Ir, ty: TypeId, part: &str) -> bool {
    match &ir[ty] {
        Type::Dialect(text) => {
            let text = &ir[*text];
            text.strip_prefix("llvm.").is_some_and(|text| text == part) || part.strip_prefix('!') == Some(text)
        }
        Type::Integer { width, sign: Sign::Signless } => {
            part.strip_prefix('i').and_then(|digits| digits.parse().ok()) == Some(*width)
        }
        Type::Float(float) => part == float.keyword(),
        _ => super::print_type(ir, ty) == part,
    }
}

/// The number of elements of `vector<4x[2]xf32>`, whether it is scalable, and the type of the elements.
pub fn vector_part(text: &str) -> Option<(u64, bool, &str)> {
    let mut rest = text.strip_prefix("vector<")?.strip_suffix('>')?;
    let (mut count, mut scalable) = (1u64, false);
    while let Some((extent, tail)) = rest.split_once('x') {
        let digits = extent.trim_matches(['[', ']']);
        let Ok(extent_value) = digits.parse::<u64>() else { break };
        scalable |= digits != extent;
        count = count.saturating_mul(extent_value);
        rest = tail;
    }
    Some((count, scalable, rest))
}

const DEPTH_MAX: i32 = 256;

/// What structs of each name consist of; structs inside of them that have names count by these.
pub(crate) type Structs = BTreeMap<String, String>;

/// Why there is no type of this text behind `!llvm.`, if there is none. What it says of structs with names is kept.
pub(super) fn misfit(text: &str, structs: &mut Structs) -> Option<String> {
    // Whoever takes types apart goes down as far as they nest.
    let open = |byte: u8| i32::from(b"<(".contains(&byte)) - i32::from(b">)".contains(&byte));
    let depths = text.bytes().scan(0, |depth, byte| {
        *depth += open(byte);
        Some(*depth)
    });
    if depths.max() > Some(DEPTH_MAX) {
        return Some(format!("the type is nested deeper than {DEPTH_MAX} levels"));
    }
    if is_other(text) {
        return Some("unexpected type, expected keyword".to_owned());
    }
    within(text, &mut Vec::new(), structs).err()
}

/// Whether a type is not spelled as one of the dialect's own.
fn is_other(text: &str) -> bool {
    let word = text.split(['<', ' ']).next().unwrap_or_default();
    let shaped = matches!(word, "vector" | "tensor" | "memref" | "complex" | "tuple" | "none");
    shaped || text.starts_with('!') || text.starts_with('(') || Scalar::from_keyword(word).is_some()
}

/// What holds of a type inside of the structs of these names.
fn within<'t>(text: &'t str, around: &mut Vec<&'t str>, structs: &mut Structs) -> Result<(), String> {
    let text = text.strip_prefix("!llvm.").unwrap_or(text);
    if is_other(text) {
        return Ok(());
    }
    let Some(ty) = Llvm::of(text) else {
        let word = text.split('<').next().unwrap_or_default().trim_end();
        return match word {
            "array" | "func" | "ptr" | "struct" | "target" => Err(format!("malformed LLVM type: `{text}`")),
            _ => Err(format!("unknown LLVM type: {word}")),
        };
    };
    let is_one_of = |text: &str, wrong: &[&str]| match Llvm::of(text) {
        Some(Llvm::Plain(name)) => wrong.contains(&name),
        Some(Llvm::Func { .. }) => wrong.contains(&"func"),
        _ => false,
    };
    // Types that are not part of an array or a struct.
    let parts = ["void", "label", "metadata", "func", "token"];
    match &ty {
        Llvm::Pointer(_) | Llvm::Plain(_) => {}
        Llvm::Array(_, elem) => {
            within(elem, around, structs)?;
            if is_one_of(elem, &parts) {
                return Err(format!("invalid array element type: `{elem}`"));
            }
        }
        Llvm::Func { result, inputs, .. } => {
            for part in std::iter::once(result).chain(inputs) {
                within(part, around, structs)?;
            }
            if is_one_of(result, &["func", "metadata", "label"]) {
                return Err(format!("invalid function result type: `{result}`"));
            }
            if let Some(input) = inputs.iter().find(|input| is_one_of(input, &["void", "func"])) {
                return Err(format!("invalid function argument type: `{input}`"));
            }
        }
        Llvm::Target(name, params) => {
            if !name.starts_with('"') {
                return Err(format!("expected string in front of the parameters of a target's type, not `{name}`"));
            }
            let is_number = |param: &&str| param.bytes().all(|byte| byte.is_ascii_digit());
            let types = params.iter().take_while(|param| !is_number(param));
            if !params[types.count()..].iter().all(is_number) {
                return Err(
                    "failed to parse parameter list for target extension type: its types stand first".to_owned()
                );
            }
        }
        Llvm::Struct(inner) => struct_within(inner, around, structs, &is_one_of, &parts)?,
    }
    Ok(())
}

fn struct_within<'t>(
    ty: &Struct<'t>,
    around: &mut Vec<&'t str>,
    structs: &mut Structs,
    is_one_of: &dyn Fn(&str, &[&str]) -> bool,
    wrong: &[&str],
) -> Result<(), String> {
    let inside = ty.name.is_some_and(|name| around.contains(&name));
    let fields = match (&ty.body, ty.name) {
        (StructBody::Recursive, _) if inside => return Ok(()),
        (StructBody::Recursive, _) => {
            return Err("struct without a body only allowed in a recursive struct of its name".to_owned());
        }
        (StructBody::Opaque, None) => return Err("only identified structs can be opaque".to_owned()),
        (StructBody::Opaque, Some(name)) => return declare(name, "opaque".to_owned(), structs),
        (StructBody::Fields(_), Some(name)) if inside => {
            return Err(format!("identifier already used for an enclosing struct: {name}"));
        }
        (StructBody::Fields(fields), _) => fields,
    };
    around.extend(ty.name);
    fields.iter().try_for_each(|field| within(field, around, structs))?;
    around.truncate(around.len() - usize::from(ty.name.is_some()));
    if let Some(field) = fields.iter().find(|field| is_one_of(field, wrong)) {
        return Err(format!("invalid LLVM structure element type: `{field}`"));
    }
    let Some(name) = ty.name else { return Ok(()) };
    let mut body = if ty.packed { "packed (" } else { "(" }.to_owned();
    for field in fields {
        spell(field, true, &mut body);
        body.push(',');
    }
    declare(name, body, structs)
}

/// A struct is what it was where its name stood first.
fn declare(name: &str, body: String, structs: &mut Structs) -> Result<(), String> {
    match structs.get(name) {
        Some(known) if *known == body => Ok(()),
        Some(_) if body == "opaque" => Err(format!("redeclaring defined struct as opaque: {name}")),
        Some(_) => Err(format!("identified type already used with a different body: {name}")),
        None => {
            structs.insert(name.to_owned(), body);
            Ok(())
        }
    }
}

/// A type as MLIR prints it behind `!llvm.`.
pub(super) fn spelled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    spell(text, false, &mut out);
    out
}

/// Writes a type, whose structs consist of their names alone where it is brief: how much of one is spelled out depends
/// on what stands around it.
fn spell(text: &str, brief: bool, out: &mut String) {
    let list = |parts: &[&str], out: &mut String| {
        for (i, part) in parts.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            spell(part, brief, out);
        }
    };
    match Llvm::of(text) {
        Some(Llvm::Pointer("" | "0")) => out.push_str("ptr"),
        Some(Llvm::Pointer(space)) => out.extend(["ptr<", space, ">"]),
        Some(Llvm::Plain(name)) => out.push_str(name),
        Some(Llvm::Array(count, elem)) => {
            out.push_str(&format!("array<{count} x "));
            spell(elem, brief, out);
            out.push('>');
        }
        Some(Llvm::Func { result, inputs, variadic }) => {
            out.push_str("func<");
            spell(result, brief, out);
            out.push_str(" (");
            list(&inputs, out);
            out.push_str(match (variadic, inputs.is_empty()) {
                (true, true) => "...)>",
                (true, false) => ", ...)>",
                (false, _) => ")>",
            });
        }
        Some(Llvm::Target(name, params)) => {
            out.extend(["target<", name]);
            params.iter().for_each(|param| out.extend([", ", param]));
            out.push('>');
        }
        Some(Llvm::Struct(ty)) => {
            out.push_str("struct<");
            if let Some(name) = ty.name {
                out.push_str(name);
                if brief || ty.body == StructBody::Recursive {
                    out.push('>');
                    return;
                }
                out.push_str(", ");
            }
            out.push_str(if ty.packed { "packed " } else { "" });
            match &ty.body {
                StructBody::Fields(fields) => {
                    out.push('(');
                    list(fields, out);
                    out.push_str(")>");
                }
                StructBody::Opaque | StructBody::Recursive => out.push_str("opaque>"),
            }
        }
        None => out.push_str(text),
    }
}

/// How many bytes a string is, in which each character stands for one.
pub fn n_bytes(text: &str) -> u64 {
    text.chars().flat_map(super::bytes_of).count() as u64
}

#[cfg(test)]
mod tests {
    use super::{Llvm, Structs, misfit, spelled};

    /// Types fall apart at their own commas.
    #[test]
    fn parts() {
        let Some(Llvm::Func { result, inputs, variadic }) = Llvm::of("func<struct<(i8, i8)> (i32, ptr<1>, ...)>")
        else {
            panic!("this is a function");
        };
        assert_eq!((result, inputs, variadic), ("struct<(i8, i8)>", vec!["i32", "ptr<1>"], true));
        assert_eq!(Llvm::of("array<2 x array<3 x f32>>"), Some(Llvm::Array(2, "array<3 x f32>")));
        assert_eq!(Llvm::of("vector<2xf32>"), None);
        let Some(Llvm::Struct(ty)) = Llvm::of("struct<\"a, b\", packed (i8, struct<\"a, b\">)>") else {
            panic!("this is a struct");
        };
        assert_eq!((ty.name, ty.packed), (Some("\"a, b\""), true));
    }

    /// The name of the dialect stands once, and spaces where they are printed.
    #[test]
    fn spellings() {
        let cases = [
            ("array<2x!llvm.array <3 x  i8>>", "array<2 x array<3 x i8>>"),
            ("struct<\"a\",packed(ptr<0>,struct<(ptr<3>)>)>", "struct<\"a\", packed (ptr, struct<(ptr<3>)>)>"),
            ("func<!llvm.void (i8,...)>", "func<void (i8, ...)>"),
            ("struct<\"a\", opaque>", "struct<\"a\", opaque>"),
            ("target<\"t\",i32,1>", "target<\"t\", i32, 1>"),
        ];
        for (text, expected) in cases {
            assert_eq!(spelled(text), expected);
            assert_eq!(spelled(expected), expected);
        }
    }

    /// What LLVM has no type for is named.
    #[test]
    fn misfits() {
        let cases = [
            ("array<4 x void>", "invalid array element type"),
            ("func<func<void ()> ()>", "invalid function result type"),
            ("func<void (func<void ()>)>", "invalid function argument type"),
            ("struct<(void)>", "invalid LLVM structure element type"),
            ("struct<opaque>", "only identified structs can be opaque"),
            ("struct<\"a\">", "only allowed in a recursive struct"),
            ("struct<\"a\", (struct<\"a\", ()>)>", "already used for an enclosing struct"),
            ("tensor<*xf32>", "unexpected type, expected keyword"),
            ("f32", "unexpected type, expected keyword"),
            ("ifoo", "unknown LLVM type: ifoo"),
            ("array<2 x ifoo>", "unknown LLVM type: ifoo"),
            ("target<\"t\", 5, i32, 1>", "failed to parse parameter list"),
            ("target<i32, 42>", "expected string"),
        ];
        for (text, message) in cases {
            let found = misfit(text, &mut Structs::new()).unwrap_or_default();
            assert!(found.contains(message), "{text}: {found}");
        }
        for text in ["ptr<#a.b<c>>", "array<2 x tensor<3xi1>>", "func<ptr (metadata, ...)>", "target<\"t\", i32, 1>"] {
            assert_eq!(misfit(text, &mut Structs::new()), None, "{text}");
        }
    }

    /// A name stands for one struct, however much of it is spelled out.
    #[test]
    fn structs_with_names() {
        let mut structs = Structs::new();
        assert_eq!(misfit("struct<\"a\", (ptr, struct<\"b\", (struct<\"a\">)>)>", &mut structs), None);
        assert_eq!(misfit("struct<\"b\", (struct<\"a\", (ptr, struct<\"b\">)>)>", &mut structs), None);
        let found = misfit("struct<\"b\", packed (struct<\"a\", (ptr, struct<\"b\">)>)>", &mut structs);
        assert!(found.is_some_and(|found| found.contains("identified type already used with a different body")));
        let found = misfit("struct<\"a\", opaque>", &mut structs);
        assert!(found.is_some_and(|found| found.contains("redeclaring defined struct as opaque")));
    }
}
