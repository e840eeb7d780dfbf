//! The nearest name: what a mistyped one may have meant.

/// `did you mean …?` if a name is near enough to `word`, else the names themselves if they are few.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let lower = word.to_lowercase();
    let nearest = names.iter().min_by_key(|name| strsim::damerau_levenshtein(&lower, &name.to_lowercase()));
    let nearest = nearest.filter(|name| {
        let distance = strsim::damerau_levenshtein(&lower, &name.to_lowercase());
        distance <= (word.len().max(name.len()) / 3).max(1)
    });
    match nearest {
        Some(name) => Some(format!("did you mean `{name}`?")),
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
