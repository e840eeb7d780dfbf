//! `--verify-diagnostics`: what comments say about the diagnostics of a file, against what was found.
//!
//! A comment reads `// expected-error @+1 {{text}}`. In the place of `error` stand `warning`, `remark` or `note`; in that
//! of `@+1` another distance, `@below` or `@above` for the next line without such a comment, `@unknown` for no place, or
//! nothing for the same line. A diagnostic fits that is on the line and whose message contains the text. With `-re`
//! behind the kind, `{{…}}` inside the text stands for anything.

use raddle_ir::{Diag, Severity, Span};

/// One comment.
struct Expected<'a> {
    kind: &'static str,
    /// The line that it is about; `None` is any.
    line: Option<usize>,
    /// Pieces that the message contains in this order; one, except for patterns.
    pieces: Vec<&'a str>,
    /// The line of the comment.
    at: usize,
    met: bool,
}

/// One thing that was found: kind, line, message.
struct Found<'a> {
    kind: &'static str,
    line: Option<usize>,
    message: &'a str,
}

const KINDS: [&str; 4] = ["error", "warning", "remark", "note"];

/// What was expected and not found, and what was found and not expected: each with a line, from 1.
pub fn mismatches(text: &str, diags: &[Diag]) -> Vec<(usize, String)> {
    let mut expected = comments(text);
    let mut wrong = Vec::new();
    for found in diags.iter().flat_map(|diag| findings(text, diag)) {
        let fits = |expected: &&mut Expected<'_>| {
            let same_line = expected.line.is_none() || expected.line == found.line;
            !expected.met && expected.kind == found.kind && same_line && contains(found.message, &expected.pieces)
        };
        match expected.iter_mut().find(fits) {
            Some(expected) => expected.met = true,
            // Notes explain; only what is expected of them is compared.
            None if found.kind == "note" => {}
            None => wrong.push((found.line.unwrap_or(1), format!("unexpected {}: {}", found.kind, found.message))),
        }
    }
    for expected in expected.iter().filter(|expected| !expected.met) {
        let text = expected.pieces.join("{{…}}");
        wrong.push((expected.at, format!("expected {} \"{text}\" was not produced", expected.kind)));
    }
    wrong.sort();
    wrong
}

/// A diagnostic and the places and facts that belong to it.
fn findings<'a>(text: &str, diag: &'a Diag) -> Vec<Found<'a>> {
    let line = |span: Span| {
        let at = text.floor_char_boundary((span.start as usize).min(text.len()));
        text[..at].matches('\n').count() + 1
    };
    let kind = match diag.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Remark => "remark",
    };
    let main = Found { kind, line: diag.span.map(line), message: &diag.message };
    let related =
        diag.related.iter().map(|(span, label)| Found { kind: "note", line: Some(line(*span)), message: label });
    let notes = diag.notes.iter().map(|note| Found { kind: "note", line: diag.span.map(line), message: note });
    std::iter::once(main).chain(related).chain(notes).collect()
}

fn contains(message: &str, pieces: &[&str]) -> bool {
    let mut rest = message;
    pieces.iter().all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

fn comments(text: &str) -> Vec<Expected<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let parsed: Vec<Option<(&'static str, &str, Vec<&str>)>> = lines.iter().map(|line| comment(line)).collect();
    let mut found = Vec::new();
    for (i, entry) in parsed.iter().enumerate() {
        let Some((kind, place, pieces)) = entry else { continue };
        let plain = |k: &usize| parsed[*k].is_none();
        let line = match *place {
            "" => Some(i),
            "below" => (i + 1..lines.len()).find(plain),
            "above" => (0..i).rev().find(plain),
            "unknown" => None,
            distance => distance.parse::<isize>().ok().and_then(|distance| i.checked_add_signed(distance)),
        };
        let line = line.map(|line| line + 1);
        found.push(Expected { kind, line, pieces: pieces.clone(), at: i + 1, met: false });
    }
    found
}

/// Kind, place and pieces of text of a line with such a comment.
fn comment(line: &str) -> Option<(&'static str, &str, Vec<&str>)> {
    let (_, rest) = line.split_once("expected-")?;
    let kind = KINDS.into_iter().find(|kind| rest.starts_with(kind))?;
    let rest = &rest[kind.len()..];
    let (rest, pattern) = match rest.strip_prefix("-re") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let (place, body) = rest.split_once("{{")?;
    let place = place.trim();
    let place = match place.strip_prefix('@') {
        Some(place) => place.trim_end(),
        None if place.is_empty() => "",
        None => return None,
    };
    let body = &body[..body.rfind("}}")?];
    let pieces = if pattern {
        body.split("{{").map(|piece| piece.split_once("}}").map_or(piece, |(_, literal)| literal)).collect()
    } else {
        vec![body]
    };
    Some((kind, place, pieces))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::Code;

    fn error_at(text: &str, word: &str, message: &str) -> Diag {
        let at = text.find(word).unwrap_or(0);
        Diag::error(Code::Syntax, Span::new(at, at + 1), message)
    }

    /// Every way to name a line finds it, and what does not fit is told on both sides.
    #[test]
    fn comments_name_lines() {
        for comment in [
            "// expected-error @+1 {{wrong}}\nhere\n",
            "// expected-error@below {{wrong}}\n// expected-error @below {{and more}}\nhere\n",
            "here\n// expected-error @above {{wrong}}\n",
            "here // expected-error {{wrong}}\n",
            "// expected-error @unknown {{wrong}}\nhere\n",
            "// expected-error-re @+1 {{all {{[a-z]+}} wrong}}\nhere\n",
        ] {
            let mut diags = vec![error_at(comment, "here", "all is wrong")];
            if comment.contains("and more") {
                diags.push(error_at(comment, "here", "and more"));
            }
            assert!(mismatches(comment, &diags).is_empty(), "{comment}");
            assert!(!mismatches(comment, &[]).is_empty(), "{comment}");
            assert!(!mismatches(comment, &[error_at(comment, "here", "fine")]).is_empty(), "{comment}");
        }
        assert_eq!(mismatches("here", &[error_at("here", "here", "x")]), [(1, "unexpected error: x".to_owned())]);
    }
}
