//! One page that explores layouts: point at a cell or a lane, step through slots, watch the banks of shared memory.
//!
//! The page carries digits, not cells, and a script that evaluates them: it stays small for the largest layouts. It is
//! one file and fetches nothing.

use std::fmt::Write;

use super::svg::{CELLS_MAX, escape};
use super::{TooLarge, View};
use crate::access::Banks;
use crate::layout::{Digit, Hardware, Kind, Layout};

/// A part of the page; parts stand side by side as far as there is room.
#[derive(Clone, Debug)]
pub enum Panel {
    /// A layout.
    Layout(View),
    /// Lines of text under a title.
    Text {
        /// The title.
        title: String,
        /// The lines.
        text: String,
    },
    /// Accesses of shared memory.
    Banks(BankView),
}

/// What the lanes of one subgroup access, instruction by instruction.
#[derive(Clone, Debug)]
pub struct BankView {
    /// What the accesses are for.
    pub title: String,
    /// Bytes of a lane in one instruction.
    pub bytes: i64,
    /// The banks.
    pub banks: Banks,
    /// For each instruction the address of each lane.
    pub accesses: Vec<Vec<Option<i64>>>,
}

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");
/// More instructions than this say nothing that these do not.
const ACCESSES_MAX: usize = 64;

/// The page.
pub fn html(title: &str, panels: &[Panel]) -> Result<String, TooLarge> {
    let mut data = String::new();
    for panel in panels {
        if !data.is_empty() {
            data.push_str(",\n");
        }
        match panel {
            Panel::Layout(view) => data += &layout(view)?,
            Panel::Text { title, text: lines } => {
                let _ = write!(data, "{{\"kind\":\"text\",\"title\":{},\"text\":{}}}", text(title), text(lines));
            }
            Panel::Banks(view) => data += &banks(view),
        }
    }
    let title = escape(title);
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n<h1>{title}</h1>\n<p id=\"says\">Point at a cell or at a lane, or tap it; arrow keys go from cell to cell.</p>\n\
         <main></main>\n<script type=\"application/json\" id=\"data\">[\n{data}\n]</script>\n\
         <script>\n{SCRIPT}</script>\n</html>\n"
    ))
}

fn layout(view: &View) -> Result<String, TooLarge> {
    let layout = &view.layout;
    let counts = Hardware::ALL.iter().map(|&hardware| layout.count(hardware));
    let places = counts.chain([layout.shape().iter().product()]).max().unwrap_or(0);
    let all = Hardware::ALL.iter().fold(1i64, |n, &hardware| n.saturating_mul(layout.count(hardware)));
    if places > CELLS_MAX || all > super::PLACES_MAX {
        return Err(TooLarge { places: all.max(places), most: CELLS_MAX });
    }
    let names: Vec<String> = (0..layout.rank()).map(|d| text(&view.name(d))).collect();
    let notes: Vec<String> = view.notes.iter().map(|note| text(note)).collect();
    let digits: Vec<String> = Hardware::ALL.iter().map(|&hardware| digits(layout.digits(hardware))).collect();
    let swizzle = layout.swizzle().map_or("null".to_string(), |map| format!("{:?}", map.columns()));
    Ok(format!(
        "{{\"kind\":\"layout\",\"title\":{},\"names\":[{}],\"notes\":[{}],\"tile\":{:?},\"shape\":{:?},\"digits\":[{}],\
         \"swizzle\":{swizzle},\"bits\":{:?}}}",
        text(&view.title),
        names.join(","),
        notes.join(","),
        view.tile_below(),
        layout.shape(),
        digits.join(","),
        bits(layout),
    ))
}

/// How many low bits of each coordinate the swizzle permutes.
fn bits(layout: &Layout) -> Vec<u32> {
    layout.shape().iter().map(|extent| extent.trailing_zeros()).collect()
}

fn digits(digits: &[Digit]) -> String {
    let digit = |digit: &Digit| {
        let held = u8::from(digit.kind != Kind::Unused);
        format!("[{},{:?},{held}]", digit.extent, digit.weights)
    };
    format!("[{}]", digits.iter().map(digit).collect::<Vec<_>>().join(","))
}

fn banks(view: &BankView) -> String {
    let shown = &view.accesses[..view.accesses.len().min(ACCESSES_MAX)];
    let n_lanes = shown.iter().map(Vec::len).max().unwrap_or(0);
    let address = |address: &Option<i64>| address.map_or("null".to_string(), |address| address.to_string());
    let access = |lanes: &Vec<Option<i64>>| {
        let list: Vec<String> = lanes.iter().map(address).collect();
        format!("[{}]", list.join(","))
    };
    let accesses: Vec<String> = shown.iter().map(access).collect();
    format!(
        "{{\"kind\":\"banks\",\"title\":{},\"bytes\":{},\"count\":{},\"word\":{},\"phases\":{:?},\"accesses\":[{}]}}",
        text(&view.title),
        view.bytes,
        view.banks.count,
        view.banks.word_bytes,
        view.banks.phases(view.bytes, n_lanes),
        accesses.join(","),
    )
}

/// A string of JSON that may stand inside a script.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // `</script>` would end the data.
            '<' => out.push_str("\\u003c"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
