//! Diagnostics with the text that they are about, and how they are shown: for people, and as JSON.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use raddle_ir::{Diag, Severity, Span};
use serde_json::{Value, json};

/// Diagnostics about one source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What was found, at least one.
    pub diags: Vec<Diag>,
    /// The file's name, for people to find it.
    pub name: String,
    /// The text that the diagnostics' ranges refer to; empty if they have none.
    pub text: String,
    /// The number of the text's first line in its file.
    pub first_line: usize,
}

impl Report {
    /// Diagnostics about a text.
    pub fn new(diags: Vec<Diag>, name: &str, text: &str) -> Report {
        Report { diags, name: name.to_owned(), text: text.to_owned(), first_line: 1 }
    }

    /// A diagnostic that is about no text.
    pub fn nowhere(diag: Diag) -> Report {
        Report::new(vec![diag], "", "")
    }

    /// What was found, with the marked source lines; with `color`, for a terminal.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let shown: Vec<String> = self.diags.iter().map(|diag| renderer.render(&self.groups(diag))).collect();
        shown.join("\n\n")
    }

    /// One JSON object for each diagnostic; lines and columns count from 1, columns in bytes.
    pub fn json(&self) -> Vec<Value> {
        self.diags.iter().map(|diag| self.diag_json(diag)).collect()
    }

    fn groups<'a>(&'a self, diag: &'a Diag) -> Vec<Group<'a>> {
        let level = match diag.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Remark => Level::INFO.with_name("remark"),
        };
        let mut group = Group::with_title(level.primary_title(diag.message.as_str()).id(diag.code.number()));
        if let Some(span) = diag.span
            && !self.text.is_empty()
        {
            group = group.element(self.snippet(span, diag));
        }
        for note in &diag.notes {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        if let Some(help) = &diag.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        vec![group]
    }

    /// The lines from the first marked one to the last.
    fn snippet<'a>(&'a self, span: Span, diag: &'a Diag) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let primary = self.range(span);
        let related: Vec<(Range<usize>, &str)> =
            diag.related.iter().map(|(span, label)| (self.range(*span), label.as_str())).collect();
        let marked = related.iter().map(|(range, _)| range).chain([&primary]);
        let (first, last) =
            marked.fold((primary.start, primary.end), |(first, last), r| (first.min(r.start), last.max(r.end)));
        let start = self.text[..first].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[last..].find('\n').map_or(self.text.len(), |at| last + at);
        let line = self.first_line + self.text[..start].matches('\n').count();
        let within = |range: Range<usize>| range.start - start..range.end - start;

        let mut snippet = Snippet::source(&self.text[start..end])
            .line_start(line)
            .path(self.name.as_str())
            .annotation(AnnotationKind::Primary.span(within(primary)).label(non_empty(&diag.label)));
        for (range, label) in related {
            snippet = snippet.annotation(AnnotationKind::Context.span(within(range)).label(non_empty(label)));
        }
        snippet
    }

    /// A range of the text, on character boundaries; an operation with regions is marked on its first line only.
    fn range(&self, span: Span) -> Range<usize> {
        let len = self.text.len();
        let start = floor(&self.text, (span.start as usize).min(len));
        let end = floor(&self.text, (span.end as usize).clamp(start, len));
        let line_end = self.text[start..end].find('\n').map_or(end, |at| start + at);
        start..line_end
    }

    fn diag_json(&self, diag: &Diag) -> Value {
        let severity = match diag.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        };
        json!({
            "severity": severity,
            "code": diag.code.number(),
            "message": diag.message,
            "file": non_empty(&self.name),
            "span": diag.span.filter(|_| !self.text.is_empty()).map(|span| self.span_json(span)),
            "label": non_empty(&diag.label),
            "related": diag.related.iter().map(|(span, label)| json!({ "span": self.span_json(*span), "label": label })).collect::<Vec<_>>(),
            "notes": diag.notes,
            "help": diag.help,
        })
    }

    fn span_json(&self, span: Span) -> Value {
        let place = |at: u32| {
            let (line, column) = self.place(at);
            json!({ "line": line, "column": column, "byte": at })
        };
        json!({ "start": place(span.start), "end": place(span.end) })
    }

    /// Line and column of a byte, both from 1.
    pub fn place(&self, at: u32) -> (usize, usize) {
        let at = floor(&self.text, (at as usize).min(self.text.len()));
        let before = &self.text[..at];
        let column = before.rfind('\n').map_or(at, |newline| at - newline - 1);
        (self.first_line + before.matches('\n').count(), column + 1)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Report {}

fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// The last character boundary that is not behind `at`.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::Code;

    /// The marked line, labels, notes and help are all there, with the line's number in the file.
    #[test]
    fn a_diagnostic_shows_its_place() {
        let text = "first\n%0 = foo.bar %1\nlast\n";
        let diag = Diag::error(Code::Syntax, Span::new(11, 18), "there is no `foo.bar`")
            .label("unknown")
            .related(Span::new(19, 21), "its operand")
            .note("a fact")
            .help("do this");
        let shown = Report { first_line: 10, ..Report::new(vec![diag], "k.mlir", text) }.to_string();
        for part in [
            "error[E0101]: there is no `foo.bar`",
            "k.mlir:11:6",
            "unknown",
            "its operand",
            "note: a fact",
            "help: do this",
        ] {
            assert!(shown.contains(part), "{part} is missing in\n{shown}");
        }
        assert!(!shown.contains("first") && !shown.contains("last"), "{shown}");
    }

    /// Ranges that lie outside the text or inside a character are moved, not fatal.
    #[test]
    fn odd_ranges_are_shown_too() {
        for text in ["", "é", "a\n", "é\né"] {
            for start in 0..6 {
                for end in 0..6 {
                    let diag =
                        Diag::error(Code::Syntax, Span::new(start, end), "odd").related(Span::new(end, start), "too");
                    let report = Report::new(vec![diag], "k.mlir", text);
                    assert!(report.to_string().contains("odd"));
                    assert_eq!(report.json().len(), 1);
                }
            }
        }
    }
}
