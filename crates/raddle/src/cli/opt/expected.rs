//! `--verify-diagnostics`: what comments say about the diagnostics of a file, against what was found.
//!
//! A comment reads `// expected-error @+1 {{text}}`. In the place of `error` stand `warning`, `remark` or `note`; in that
//! of `@+1` another distance, `@below` or `@above` for the next line without such a comment, `@unknown` for a diagnostic
//! that has no place, or nothing for the same line. A diagnostic fits that is there and whose message contains the text;
//! each fits one comment. With `-re` behind the kind, `{{…}}` inside the text is a regular expression.

use raddle_ir::{Diag, Severity, Span};
use regex_lite::Regex;

/// One comment.
struct Expected<'a> {
    kind: &'static str,
    place: Place,
    text: Text<'a>,
    /// The line of the comment.
    at: usize,
    met: bool,
}

/// What a comment is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Line(usize),
    /// A diagnostic that has no place.
    Unknown,
    /// A line outside the file.
    Nowhere,
}

/// What the message contains.
enum Text<'a> {
    Plain(&'a str),
    /// The text as it was written, and what it means; `None` if it means nothing.
    Pattern(&'a str, Option<Regex>),
}

/// One thing that was found: kind, line, message.
struct Found<'a> {
    kind: &'static str,
    line: Option<usize>,
    message: &'a str,
}

const KINDS: [&str; 4] = ["error", "warning", "remark", "note"];

/// What was expected and not found, and, where all are compared, what was found and not expected: each with a line,
/// from 1.
pub fn mismatches(text: &str, diags: &[Diag], all: bool) -> Vec<(usize, String)> {
    let mut expected = comments(text);
    let mut wrong = Vec::new();
    for found in diags.iter().flat_map(|diag| findings(text, diag)) {
        let place = found.line.map_or(Place::Unknown, Place::Line);
        let fits = |expected: &&mut Expected<'_>| {
            !expected.met
                && expected.kind == found.kind
                && expected.place == place
                && expected.text.is_in(found.message)
        };
        match expected.iter_mut().find(fits) {
            Some(expected) => expected.met = true,
            // Notes explain; only what is expected of them is compared.
            None if found.kind == "note" || !all => {}
            None => wrong.push((found.line.unwrap_or(1), format!("unexpected {}: {}", found.kind, found.message))),
        }
    }
    for expected in expected.iter().filter(|expected| !expected.met) {
        let message = match &expected.text {
            Text::Plain(text) | Text::Pattern(text, Some(_)) => {
                format!("expected {} \"{text}\" was not produced", expected.kind)
            }
            Text::Pattern(text, None) => format!("\"{text}\" is not a pattern"),
        };
        wrong.push((expected.at, message));
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

impl<'a> Text<'a> {
    /// The text between the outer braces of a comment.
    fn of(text: &'a str, pattern: bool) -> Text<'a> {
        if !pattern {
            return Text::Plain(text);
        }
        let mut expression = String::new();
        for (i, piece) in text.split("{{").enumerate() {
            match piece.split_once("}}").filter(|_| i > 0) {
                Some((inner, literal)) => {
                    expression.push_str(&format!("(?:{inner}){}", regex_lite::escape(literal)));
                }
                None => expression.push_str(&regex_lite::escape(piece)),
            }
        }
        Text::Pattern(text, Regex::new(&expression).ok())
    }

    fn is_in(&self, message: &str) -> bool {
        match self {
            Text::Plain(text) => {
                // MLIR quotes names with ' and raddle with `, and has the word `op` behind the name of an operation; its
                // readers name the operation, whose place is known.
                let text =
                    text.strip_prefix("custom op '").and_then(|text| text.split_once("' ")).map_or(*text, |t| t.1);
                let (message, text) = (message.replace('`', "'"), text.replace('`', "'"));
                let without_op = |text: &str| text.replace("' op ", "' ");
                message.contains(&text) || without_op(&message).contains(&without_op(&text))
            }
            Text::Pattern(_, expression) => expression.as_ref().is_some_and(|expression| expression.is_match(message)),
        }
    }
}

fn comments(text: &str) -> Vec<Expected<'_>> {
    let lines: Vec<Option<(&'static str, &str, Text<'_>)>> = text.lines().map(comment).collect();
    let plain: Vec<bool> = lines.iter().map(Option::is_none).collect();
    let mut found = Vec::new();
    for (i, entry) in lines.into_iter().enumerate() {
        let Some((kind, place, text)) = entry else { continue };
        let line = match place {
            "" => Some(i),
            "below" => (i + 1..plain.len()).find(|&k| plain[k]),
            "above" => (0..i).rev().find(|&k| plain[k]),
            "unknown" => None,
            distance => distance.parse::<isize>().ok().and_then(|distance| i.checked_add_signed(distance)),
        };
        let place = match line {
            Some(line) => Place::Line(line + 1),
            None if place == "unknown" => Place::Unknown,
            None => Place::Nowhere,
        };
        found.push(Expected { kind, place, text, at: i + 1, met: false });
    }
    found
}

/// Kind, place and text of a line with such a comment.
fn comment(line: &str) -> Option<(&'static str, &str, Text<'_>)> {
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
    Some((kind, place, Text::of(&body[..body.rfind("}}")?], pattern)))
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
            "here\nx\n// expected-error @-2 {{wrong}}\n",
            "here // expected-error {{wrong}}\n",
            "// expected-error-re @+1 {{all {{[a-z]+}} wrong}}\nhere\n",
            "// expected-error-re @+1 {{{{^}}all {{(are|is)}} wrong{{$}}}}\nhere\n",
        ] {
            let mut diags = vec![error_at(comment, "here", "all is wrong")];
            if comment.contains("and more") {
                diags.push(error_at(comment, "here", "and more"));
            }
            assert_eq!(mismatches(comment, &diags, true), [], "{comment}");
            assert!(!mismatches(comment, &[], true).is_empty(), "{comment}");
            assert!(!mismatches(comment, &[error_at(comment, "here", "fine")], true).is_empty(), "{comment}");
            // One line further down is another line.
            let moved = comment.replace("here", "x\nhere");
            if comment.contains("@+1") {
                assert!(!mismatches(&moved, &[error_at(&moved, "here", "all is wrong")], true).is_empty(), "{moved}");
            }
        }
        assert_eq!(mismatches("here", &[error_at("here", "here", "x")], true), [(1, "unexpected error: x".to_owned())]);
    }

    /// What has no place is expected nowhere; what has one is not.
    #[test]
    fn diagnostics_without_a_place() {
        let text = "// expected-error @unknown {{wrong}}\nhere\n";
        let nowhere = Diag::nowhere(Code::Syntax, "wrong");
        assert_eq!(mismatches(text, std::slice::from_ref(&nowhere), true), []);
        assert_eq!(mismatches(text, &[error_at(text, "here", "wrong")], true).len(), 2);
        assert_eq!(mismatches("// expected-error {{wrong}}", &[nowhere], true).len(), 2);
    }

    /// Each kind is compared with its own, each diagnostic meets one comment, and the rest may not matter.
    #[test]
    fn kinds_and_counts() {
        let text = "// expected-error @+4 {{a}}\n// expected-error @+3 {{a}}\n// expected-note @+2 {{why}}\n// expected-remark @+1 {{said}}\nhere\n";
        let one = || error_at(text, "here", "a").note("why");
        let said = error_at(text, "here", "said").as_remark();
        assert_eq!(mismatches(text, &[one(), one(), said.clone()], true), []);
        assert_eq!(mismatches(text, &[one(), said.clone()], true).len(), 1);
        assert_eq!(mismatches(text, &[one(), one(), one(), said.clone()], true).len(), 1);
        assert_eq!(mismatches(text, &[one(), one(), one(), said], false), []);
        assert_eq!(mismatches(text, &[one(), one()], false).len(), 1);
    }

    /// MLIR's spelling of an operation's name in front of a message fits raddle's, and either may be left out.
    #[test]
    fn names_of_operations_fit() {
        for (expected, message) in [
            ("'a.b' op is wrong", "`a.b` is wrong"),
            ("'a.b' op is wrong", "'a.b' op is wrong"),
            ("op is wrong", "'a.b' op is wrong"),
            ("custom op 'a.b' is wrong", "is wrong"),
        ] {
            let text = format!("here // expected-error {{{{{expected}}}}}");
            assert_eq!(mismatches(&text, &[error_at(&text, "here", message)], true), [], "{expected}");
        }
        let text = "here // expected-error {{'a.b' op is wrong}}";
        assert!(!mismatches(text, &[error_at(text, "here", "`a.c` is wrong")], true).is_empty());
    }

    /// A text that is not a pattern is reported, not taken literally.
    #[test]
    fn patterns_may_be_wrong() {
        let text = "here // expected-error-re {{all {{(}} wrong}}";
        let wrong = mismatches(text, &[error_at(text, "here", "all ( wrong")], true);
        assert!(wrong.iter().any(|(_, message)| message.contains("is not a pattern")), "{wrong:?}");
    }
}
