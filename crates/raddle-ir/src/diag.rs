//! Diagnostics as data: code, place, what, why, what to do. Rendering them is the command line's job.

use std::fmt;

pub use crate::codes::Code;

/// A range of bytes in the source text that a module was read from.
///
/// Operations that passes create carry the range of the operation they stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The program is wrong, or cannot be compiled.
    Error,
    /// The program is suspicious.
    Warning,
    /// A decision that the compiler took, for those who ask.
    Remark,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diag {
    /// Its number, which `raddle explain` knows.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// Where; `None` when the finding has no place in the source text.
    pub span: Option<Span>,
    /// What the message means at this place, printed under the marked text.
    pub label: String,
    /// Other places that matter.
    pub related: Vec<(Span, String)>,
    /// Why: facts that led to the finding.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Diag {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diag {
        Diag {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// An error that has no place in the source text.
    pub fn nowhere(code: Code, message: impl Into<String>) -> Diag {
        Diag { span: None, ..Diag::error(code, Span::default(), message) }
    }

    /// The same finding as a remark.
    pub fn as_remark(self) -> Diag {
        Diag { severity: Severity::Remark, ..self }
    }

    /// Adds what the message means at its place.
    pub fn label(mut self, label: impl Into<String>) -> Diag {
        self.label = label.into();
        self
    }

    /// Adds another place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diag {
        self.related.push((span, label.into()));
        self
    }

    /// Adds a fact.
    pub fn note(mut self, note: impl Into<String>) -> Diag {
        self.notes.push(note.into());
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Diag {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diag {
    /// One line for logs and tests: `error[E0101]: message`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        };
        write!(f, "{severity}[{}]: {}", self.code, self.message)
    }
}

impl std::error::Error for Diag {}
