//! The nearest name: what a mistyped one may have meant.

use raddle_ir::text::suggest;

/// `did you mean …?` if a name is near enough to `word`, else the names themselves if they are few.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let nearest = suggest(&word.to_lowercase(), lower.iter().map(String::as_str));
    match nearest.and_then(|nearest| lower.iter().position(|name| name == nearest)) {
        Some(at) => Some(format!("did you mean `{}`?", names[at])),
        None if names.is_empty() || names.len() > 12 => None,
        None => Some(format!("there is {}", list(&names))),
    }
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
    }
}
