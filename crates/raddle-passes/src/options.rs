//! Options of passes: what a pipeline writes in braces behind a pass, `lay-out{depth=3 wide}`.

use raddle_ir::text::suggest;
use raddle_ir::{Code, Diag};

/// One option of a pass: a row of its table.
pub struct PassOption {
    /// As users type it.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// What it may be, and what it is when nobody says.
    pub kind: OptionKind,
}

/// What an option may be; each with its default.
#[derive(Clone, Copy)]
pub enum OptionKind {
    /// `true` or `false`; the name alone is `true`.
    Flag(bool),
    /// A whole number.
    Int(i64),
    /// Whole numbers with commas between them.
    Ints(&'static [i64]),
    /// One of these words; the first is the default.
    Word(&'static [&'static str]),
    /// Any text.
    Text(&'static str),
}

#[derive(Clone, PartialEq, Debug)]
enum Value {
    Flag(bool),
    Int(i64),
    Ints(Vec<i64>),
    Text(String),
}

/// The options of one pass, each with a value.
#[derive(Clone, Default)]
pub struct Options {
    rows: &'static [PassOption],
    values: Vec<Value>,
}

impl Options {
    /// The defaults of a table.
    pub fn of(rows: &'static [PassOption]) -> Options {
        let default = |row: &PassOption| match row.kind {
            OptionKind::Flag(value) => Value::Flag(value),
            OptionKind::Int(value) => Value::Int(value),
            OptionKind::Ints(values) => Value::Ints(values.to_vec()),
            OptionKind::Word(words) => Value::Text(words[0].to_owned()),
            OptionKind::Text(text) => Value::Text(text.to_owned()),
        };
        Options { rows, values: rows.iter().map(default).collect() }
    }

    /// Reads `a=1 b=x c`, as it stands between the braces. `owner` is the pass, for messages.
    pub fn read(rows: &'static [PassOption], owner: &str, text: &str) -> Result<Options, Diag> {
        let mut options = Options::of(rows);
        for (name, value) in entries(text) {
            let Some(at) = rows.iter().position(|row| row.name == name) else {
                let diag = Diag::nowhere(Code::BadInput, format!("`{owner}` has no option `{name}`"));
                return Err(match suggest(name, rows.iter().map(|row| row.name)) {
                    Some(near) => diag.help(format!("did you mean `{near}`?")),
                    None if rows.is_empty() => diag.note("it has no options at all"),
                    None => diag.help(format!("its options are {}", list(rows.iter().map(|row| row.name)))),
                });
            };
            options.values[at] = value_of(&rows[at], value).ok_or_else(|| {
                let value = value.unwrap_or_default();
                Diag::nowhere(Code::BadInput, format!("`{value}` is not a value for the option `{name}` of `{owner}`"))
                    .help(format!("it takes {}", takes(&rows[at])))
            })?;
        }
        Ok(options)
    }

    /// Every option that is not what it would be anyway, as `a=1 b=x`.
    pub fn text(&self) -> String {
        let defaults = Options::of(self.rows);
        let rows =
            self.rows.iter().zip(&self.values).zip(&defaults.values).filter(|((_, value), other)| value != other);
        let shown = rows.map(|((row, value), _)| match value {
            Value::Flag(value) => format!("{}={value}", row.name),
            Value::Int(value) => format!("{}={value}", row.name),
            Value::Ints(values) => {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                format!("{}={}", row.name, values.join(","))
            }
            Value::Text(text) => format!("{}={text}", row.name),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    fn value(&self, name: &str) -> &Value {
        let at = self.rows.iter().position(|row| row.name == name);
        &self.values[at.expect("a pass asks for options of its own table")]
    }

    /// The value of a flag.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Value::Flag(true))
    }

    /// The value of a number.
    pub fn int(&self, name: &str) -> i64 {
        match self.value(name) {
            Value::Int(value) => *value,
            Value::Flag(_) | Value::Ints(_) | Value::Text(_) => panic!("`{name}` is a number in its table"),
        }
    }

    /// The values of a list.
    pub fn ints(&self, name: &str) -> &[i64] {
        match self.value(name) {
            Value::Ints(values) => values,
            Value::Flag(_) | Value::Int(_) | Value::Text(_) => panic!("`{name}` is a list in its table"),
        }
    }

    /// The value of a word or a text.
    pub fn word(&self, name: &str) -> &str {
        match self.value(name) {
            Value::Text(text) => text,
            Value::Flag(_) | Value::Int(_) | Value::Ints(_) => panic!("`{name}` is a word in its table"),
        }
    }
}

fn value_of(row: &PassOption, text: Option<&str>) -> Option<Value> {
    match (row.kind, text) {
        (OptionKind::Flag(_), None | Some("true" | "1")) => Some(Value::Flag(true)),
        (OptionKind::Flag(_), Some("false" | "0")) => Some(Value::Flag(false)),
        (OptionKind::Int(_), Some(text)) => text.parse().ok().map(Value::Int),
        (OptionKind::Ints(_), Some(text)) => {
            let values: Result<Vec<i64>, _> = text.split(',').filter(|part| !part.is_empty()).map(str::parse).collect();
            values.ok().map(Value::Ints)
        }
        (OptionKind::Word(words), Some(text)) => words.contains(&text).then(|| Value::Text(text.to_owned())),
        (OptionKind::Text(_), Some(text)) => Some(Value::Text(text.to_owned())),
        (OptionKind::Flag(_), Some(_)) | (_, None) => None,
    }
}

fn takes(row: &PassOption) -> String {
    match row.kind {
        OptionKind::Flag(_) => "`true` or `false`".to_owned(),
        OptionKind::Int(_) => "a whole number".to_owned(),
        OptionKind::Ints(_) => "whole numbers with commas between them".to_owned(),
        OptionKind::Word(words) => list(words.iter().copied()),
        OptionKind::Text(_) => "a text".to_owned(),
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Name and value of each entry; spaces part entries, and braces, brackets and quotes hold a value together.
fn entries(text: &str) -> Vec<(&str, Option<&str>)> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0usize, None);
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, c) in ends {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) if at < text.len() => {}
            ('"' | '\'', None) => quote = Some(c),
            ('{' | '[' | '(', None) => depth += 1,
            ('}' | ']' | ')', None) => depth = depth.saturating_sub(1),
            (c, _) if at == text.len() || (c.is_whitespace() && depth == 0) => {
                let entry = &text[start..at];
                start = at + c.len_utf8();
                match entry.split_once('=') {
                    _ if entry.is_empty() => {}
                    Some((name, value)) => found.push((name, Some(unquoted(value)))),
                    None => found.push((entry, None)),
                }
            }
            _ => {}
        }
    }
    found
}

/// A value without the quotes or braces that held it together.
fn unquoted(value: &str) -> &str {
    for (open, close) in [('"', '"'), ('\'', '\''), ('{', '}')] {
        if let Some(inner) = value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            return inner;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[PassOption] = &[
        PassOption { name: "deep", sentence: "go deep", kind: OptionKind::Flag(false) },
        PassOption { name: "depth", sentence: "how deep", kind: OptionKind::Int(2) },
        PassOption { name: "level", sentence: "where", kind: OptionKind::Word(&["reduction", "thread"]) },
        PassOption { name: "sizes", sentence: "how large", kind: OptionKind::Ints(&[]) },
        PassOption { name: "title", sentence: "what it is called", kind: OptionKind::Text("") },
    ];

    /// What is written is read, what is not written has its default, and only the difference is shown.
    #[test]
    fn options_are_read() {
        let options = Options::read(ROWS, "p", "deep level=thread  sizes=1,2 title='a b'").expect("good options");
        assert!(options.flag("deep"));
        assert_eq!((options.int("depth"), options.word("level")), (2, "thread"));
        assert_eq!((options.ints("sizes"), options.word("title")), (&[1, 2][..], "a b"));
        assert_eq!(options.text(), "deep=true level=thread sizes=1,2 title=a b");
        assert_eq!(Options::of(ROWS).text(), "");
    }

    /// What is wrong is told with what would be right.
    #[test]
    fn bad_options_are_told() {
        for (text, help) in [
            ("dept=1", "did you mean `depth`?"),
            ("depth=x", "it takes a whole number"),
            ("deep=maybe", "it takes `true` or `false`"),
            ("level", "it takes `reduction`, `thread`"),
            ("level=lane", "it takes `reduction`, `thread`"),
            ("unheard-of", "its options are `deep`"),
        ] {
            let diag = Options::read(ROWS, "p", text).err().expect(text);
            assert!(diag.help.as_deref().is_some_and(|found| found.contains(help)), "{text}: {diag:?}");
        }
    }

    /// Unbalanced text ends somewhere.
    #[test]
    fn odd_texts_are_read() {
        for text in ["", " ", "=", "a={", "}", "'", "a='", "é=é ", "\u{3000}"] {
            let _ = Options::read(ROWS, "p", text);
        }
    }
}
