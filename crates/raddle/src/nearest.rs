//! The nearest name: what a mistyped one may have meant.

use raddle_ir::text::suggest;

/// `did you mean …?` if a name is near enough to `word`, else the names themselves if they are few.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let nearest = suggest(&word.to_lowercase(), lower.iter().map(String::as_str));
    match nearest.and_then(|nearest| lower.iter().position(|name| name == nearest)) {
        Some(at) => Some(format!("did you mean `{}`?", names[at])),
        None if names.len() > LISTED_MAX => related(&word.to_lowercase(), &names),
        None if names.is_empty() => None,
        None => Some(format!("there is {}", list(&names))),
    }
}

/// More names than this are not listed.
pub const LISTED_MAX: usize = 12;
/// Parts that more names than this share say nothing.
const RELATED_MAX: usize = 4;
/// Shorter parts of names say nothing.
const PART_MIN: usize = 4;

/// The few names that have most of the word's parts.
fn related(word: &str, names: &[&str]) -> Option<String> {
    let parts: Vec<&str> = word.split(|c: char| !c.is_alphanumeric()).filter(|part| part.len() >= PART_MIN).collect();
    let shared = |name: &str| parts.iter().filter(|part| name.to_lowercase().contains(**part)).count();
    let most = names.iter().map(|name| shared(name)).max().filter(|&most| most > 0)?;
    let found: Vec<&str> = names.iter().copied().filter(|name| shared(name) == most).collect();
    (found.len() <= RELATED_MAX).then(|| format!("similar names are {}", list(&found)))
}

/// `a`, `b` and `c`
fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn near_names_are_found_and_far_ones_are_listed() {
        let names = ["sm_80", "gfx942"];
        assert_eq!(did_you_mean("sm80", names).as_deref(), Some("did you mean `sm_80`?"));
        assert_eq!(did_you_mean("GFX942", names).as_deref(), Some("did you mean `gfx942`?"));
        assert_eq!(did_you_mean("vulkan", names).as_deref(), Some("there is `sm_80` and `gfx942`"));
        assert_eq!(did_you_mean("x", []), None);
        let many: Vec<String> = (0..20).map(|n| format!("pass-{n}-tensors")).collect();
        let many = many.iter().map(String::as_str).chain(["vectorize-loops", "vectorize-tensors"]);
        let related = did_you_mean("iree-codegen-vectorize", many.clone());
        assert_eq!(related.as_deref(), Some("similar names are `vectorize-loops` and `vectorize-tensors`"));
        assert_eq!(did_you_mean("iree-codegen-foo", many), None);
    }
}
