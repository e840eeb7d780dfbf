//! Inherent attributes: how they are spelled, and what they are where nothing is said.

use super::among;
use super::limit::Limit;
use super::words::{Cases, NAMED, Union};
use crate::attrs::{self, Attr};
use crate::ids::AttrId;
use crate::ir::Ir;

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

    pub(super) fn parse(text: &'static str) -> Inherent {
        let (text, default) = match text.split_once('=') {
            Some((text, default)) => (text, Some(default)),
            None => (text, None),
        };
        // `=?` marks what even the generic form leaves out.
        let is_shown = default.is_some_and(|default| !default.starts_with('?'));
        let default = default.map(|default| default.trim_start_matches('?'));
        let (text, limit) = match text.strip_suffix('}').and_then(|text| text.split_once('{')) {
            Some((text, limit)) => {
                (text, Some(Limit::parse(limit).unwrap_or_else(|| panic!("`{limit}` is not a limit"))))
            }
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
            "f32" => Spelling::F32,
            word if word.starts_with('@') => {
                let named = NAMED.iter().find(|named| named.0 == &word[1..]);
                named.unwrap_or_else(|| panic!("`{word}` are not words")).1
            }
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
