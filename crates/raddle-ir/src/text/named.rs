//! Named parameters that stay text, such as those of `#iree_gpu.target<…>`, in the form that IREE gives them.
//!
//! Their values are words and lists that are not attributes, so that only their order, their flags and what goes
//! without saying are looked at.

/// A parameter: its name, the text that goes without saying, and the flags that its value may join with `|`.
type Parameter = (&'static str, &'static str, &'static [&'static str]);

const TARGET: &[Parameter] = &[("arch", "", &[]), ("features", "", &[]), ("wgp", "", &[]), ("chip", "", &[])];

const COMPUTE: &[&str] = &["fp64", "fp32", "fp16", "int64", "int32", "int16", "int8", "fp8", "fp6", "fp4"];

const WORKGROUP_PROCESSOR: &[Parameter] = &[
    ("compute", "", COMPUTE),
    ("storage", "", &["b64", "b32", "b16", "b8"]),
    ("subgroup", "", &["shuffle", "arithmetic"]),
    ("dot", "none", &[]),
    ("mma", "[]", &[]),
    ("scaled_mma", "[]", &[]),
    ("subgroup_size_choices", "", &[]),
    ("max_workgroup_sizes", "", &[]),
    ("max_thread_count_per_workgroup", "", &[]),
    ("max_workgroup_memory_bytes", "", &[]),
    ("max_workgroup_counts", "", &[]),
    ("max_load_instruction_bits", "", &[]),
    ("simds_per_wgp", "", &[]),
    ("vgpr_space_bits", "", &[]),
    ("dma_sizes", "", &[]),
    ("workgroup_memory_bank_count", "", &[]),
    ("extra", "", &[]),
];

/// The parameters of an attribute in order, if it is one of those; `None` where the text has others.
pub(super) fn normal(name: &str, text: &str) -> Option<String> {
    let rows = match name {
        "iree_gpu.target" => TARGET,
        "iree_gpu.target_wgp" => WORKGROUP_PROCESSOR,
        _ => return None,
    };
    let mut found = Vec::new();
    for part in split_at_depth(text, ",") {
        let (name, value) = part.split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        let at = rows.iter().position(|row| row.0 == name)?;
        let (_, silent, flags) = rows[at];
        if !silent.is_empty() && value == silent {
            continue;
        }
        let inner = value.strip_prefix('<').and_then(|value| value.strip_suffix('>'));
        let value = match inner {
            Some(inner) if name == "wgp" => format!("<{}>", normal("iree_gpu.target_wgp", inner)?),
            _ => in_order(value, flags),
        };
        found.push((at, format!("{name} = {value}")));
    }
    found.sort_by_cached_key(|entry| entry.0);
    let texts: Vec<String> = found.into_iter().map(|entry| entry.1).collect();
    Some(texts.join(", "))
}

/// `b16|b32` in the order of the flags, if it consists of these.
fn in_order(value: &str, flags: &[&str]) -> String {
    let words: Vec<&str> = value.split('|').map(str::trim).collect();
    if words.iter().any(|word| !flags.contains(word)) {
        return value.to_owned();
    }
    flags.iter().copied().filter(|flag| words.contains(flag)).collect::<Vec<_>>().join("|")
}

/// The pieces of a text between separators that no bracket and no string encloses.
pub(crate) fn split_at_depth<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut depth, mut start, mut at, mut pieces) = (0i64, 0, 0, Vec::new());
    while at < text.len() {
        let rest = &text[at..];
        if depth == 0 && rest.starts_with(separator) {
            pieces.push(&text[start..at]);
            at += separator.len();
            start = at;
            continue;
        }
        match rest.as_bytes()[0] {
            b'"' => at = super::lexer::next(text.as_bytes(), at).end.max(at + 1) - 1,
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' | b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// Whether what stands in the brackets of `#dialect<…>` or `!dialect<…>` may stand behind `dialect.` instead, as MLIR
/// prints it then: a word, and perhaps one pair of brackets up to the end.
pub(super) fn is_plain(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
    is_word && (rest.is_empty() || rest.starts_with('<') && closes_last(rest))
}

/// Whether the bracket that opens a text is closed by its last byte.
fn closes_last(text: &str) -> bool {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        match text.as_bytes()[at] {
            b'"' => at = super::lexer::next(text.as_bytes(), at).end.max(at + 1) - 1,
            b'-' if text[at..].starts_with("->") => at += 1,
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' | b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1 == text.len();
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{is_plain, normal, split_at_depth};

    #[test]
    fn a_word_and_one_pair_of_brackets_are_plain() {
        for text in ["a", "a.b", "a<>", "a<b<c>, d>", "a<(b) -> c>", "a<\">\">"] {
            assert!(is_plain(text), "{text}");
        }
        for text in ["", "1", "a b", "a<b> c", "a<b><c>", " a", "a<b"] {
            assert!(!is_plain(text), "{text}");
        }
    }

    #[test]
    fn brackets_and_strings_hold_together() {
        assert_eq!(split_at_depth("a, <b, c>, \"d, e\", f", ", "), ["a", "<b, c>", "\"d, e\"", "f"]);
        assert_eq!(split_at_depth("", ","), [""]);
    }

    #[test]
    fn parameters_have_an_order() {
        let text =
            "features=\"\", wgp = <storage = b16|b32, compute=int8|fp64, mma = [], subgroup = none>, arch = \"a\"";
        let expected = "arch = \"a\", features = \"\", wgp = <compute = fp64|int8, storage = b32|b16, subgroup = none>";
        assert_eq!(normal("iree_gpu.target", text).as_deref(), Some(expected));
        assert_eq!(normal("iree_gpu.target", "arch = \"a\", color = red"), None);
        assert_eq!(normal("iree_gpu.other", "arch = \"a\""), None);
    }
}
