//! Pictures of layouts as SVG: a cell for each element, coloured by the lane that holds it.
//!
//! The lane gives the hue, so far apart for neighbours that they can be told from each other; the slot gives the shade;
//! a bar at the left edge gives the subgroup, where there are several. A legend shows all three. Thick lines run where the subgroup changes, and between the tiles of an instruction. Nothing is fetched: no fonts, no scripts.

use std::fmt::Write;

use super::{TooLarge, View};
use crate::layout::{Hardware, Layout, Owner};
use crate::nested::delinearize;

/// Cells beyond this are megabytes that no viewer shows well.
pub(super) const CELLS_MAX: i64 = 1 << 16;

const CELL: [i64; 2] = [34, 20];
const MARGIN: i64 = 10;
/// The bar of a subgroup.
const BAR: i64 = 5;
const LINE: i64 = 16;
/// Room for the numbers of rows.
const LABELS: i64 = 40;

const STYLE: &str = "text{font:10px monospace;text-anchor:middle}.t{font-size:12px;text-anchor:start}\
                     .l{fill:#777}.s{font-size:7px;fill:#444}rect{stroke:#fff;stroke-width:.5}\
                     .b{stroke:#000;stroke-width:2.5;fill:none}";

/// Draws layouts below each other. Each element is a `<g>` with `data-lane`, `data-slot` and `data-subgroup` of its
/// first owner, `data-at`, its coordinate, and a `<title>` that lists all owners.
///
/// ```
/// use raddle_layout::picture::{View, svg};
/// use raddle_layout::{Digit, Layout};
///
/// // Two lanes with two of four elements each.
/// let layout = Layout::new(vec![4], vec![Digit::shard(2, 1, 0, 1)], vec![Digit::shard(2, 1, 0, 2)], vec![])?;
/// let view = View { title: "halves".to_string(), names: vec![], notes: vec![], tile: vec![], layout };
/// assert!(svg(&[view])?.contains("<title>i 3: subgroup 0 lane 1 slot 1</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg(views: &[View]) -> Result<String, TooLarge> {
    let (mut body, mut width, mut y) = (String::new(), 0, MARGIN);
    for view in views {
        let (right, below) = draw(view, &mut body, y)?;
        width = width.max(right);
        y = below + LINE;
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{y}\" viewBox=\"0 0 {width} {y}\">\n\
         <style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    ))
}

/// The owners of each element, row-major, or how many cells are too many.
pub(super) fn owners(layout: &Layout) -> Result<Vec<Vec<Owner>>, TooLarge> {
    let counts = Hardware::ALL.iter().map(|&hardware| layout.count(hardware));
    let places = counts.fold(1i64, i64::saturating_mul);
    let elements = layout.shape().iter().fold(1i64, |n, &extent| n.saturating_mul(extent));
    // Replicas are places, too, but no cells: there may be many.
    if elements > CELLS_MAX || places > super::PLACES_MAX {
        return Err(TooLarge { places: places.max(elements), most: CELLS_MAX });
    }
    let mut all = vec![Vec::new(); elements as usize];
    for owner in layout.owners() {
        let index = owner.coord.iter().zip(layout.shape()).fold(0, |index, (c, extent)| index * extent + c);
        all[index as usize].push(owner);
    }
    Ok(all)
}

/// The golden angle: the hues of any run of numbers lie far apart.
const HUE_STEP: f64 = 137.507_764;

/// `#rrggbb` of a lane and a slot.
pub(super) fn color(lane: i64, slot: i64, n_slots: i64) -> String {
    let shade = if n_slots > 1 { slot as f64 / (n_slots - 1) as f64 } else { 0.0 };
    rgb(lane as f64 * HUE_STEP, 0.88 - 0.2 * shade, 0.11 + 0.12 * shade)
}

/// `#rrggbb` of a subgroup, darker than any lane.
fn subgroup_color(subgroup: i64) -> String {
    rgb(subgroup as f64 * HUE_STEP + 210.0, 0.38, 0.34)
}

fn rgb(hue: f64, light: f64, chroma_half: f64) -> String {
    let hue = hue.rem_euclid(360.0);
    let channel = |shift: f64| {
        let at = (shift + hue / 30.0).rem_euclid(12.0);
        let level = light - chroma_half * (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0);
        (level * 255.0).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", channel(0.0), channel(8.0), channel(4.0))
}

/// Appends one layout from `top` down; where it ends to the right and below.
fn draw(view: &View, out: &mut String, top: i64) -> Result<(i64, i64), TooLarge> {
    let layout = &view.layout;
    let cells = owners(layout)?;
    let names: Vec<String> = (0..layout.rank()).map(|d| view.name(d)).collect();
    let n_slots = layout.count(Hardware::Slot);
    let mut y = top;
    let mut right = 0;
    for text in [&view.title].into_iter().chain(&view.notes) {
        right = right.max(line(out, &mut y, text));
    }
    if let [.., rows, columns] = &names[..] {
        right = right.max(line(out, &mut y, &format!("rows {rows}, columns {columns}, a cell is lane:slot")));
    }
    right = right.max(legend(out, &mut y, layout));
    let shape = layout.shape();
    let columns = shape.last().copied().unwrap_or(1);
    let rows = if shape.len() > 1 { shape[shape.len() - 2] } else { 1 };
    let outer = &shape[..shape.len().saturating_sub(2)];
    let [tile_rows, tile_columns] = view.tile_below();
    for page in 0..outer.iter().product() {
        let page_coord = delinearize(page, outer);
        if !outer.is_empty() {
            let places: Vec<String> = page_coord.iter().zip(&names).map(|(c, name)| format!("{name} = {c}")).collect();
            right = right.max(line(out, &mut y, &places.join(", ")));
        }
        let (left, first) = (MARGIN + LABELS, y + LINE);
        labels(out, [rows, columns], [left, first]);
        let at = |row: i64, column: i64| &cells[((page * rows + row) * columns + column) as usize];
        let mut borders = String::new();
        for row in 0..rows {
            for column in 0..columns {
                let [x, y] = [left + column * CELL[0], first + row * CELL[1]];
                let coord = [&page_coord[..], &[row, column][2 - shape.len().min(2)..]].concat();
                cell(out, at(row, column), &coord, &names, n_slots, [x, y]);
                if layout.count(Hardware::Subgroup) > 1
                    && let Some(first) = at(row, column).first()
                {
                    let fill = subgroup_color(first.subgroup);
                    let height = CELL[1];
                    let _ = writeln!(
                        out,
                        "<rect class=\"e\" x=\"{x}\" y=\"{y}\" width=\"{BAR}\" height=\"{height}\" fill=\"{fill}\"/>"
                    );
                }
                let here = subgroups(at(row, column));
                let ends = |at: i64, tile: i64| tile > 0 && (at + 1) % tile == 0;
                if column + 1 < columns && (ends(column, tile_columns) || subgroups(at(row, column + 1)) != here) {
                    let _ = write!(borders, "M{} {y}v{}", x + CELL[0], CELL[1]);
                }
                if row + 1 < rows && (ends(row, tile_rows) || subgroups(at(row + 1, column)) != here) {
                    let _ = write!(borders, "M{x} {}h{}", y + CELL[1], CELL[0]);
                }
            }
        }
        let (w, h) = (columns * CELL[0], rows * CELL[1]);
        let _ = writeln!(out, "<path class=\"b\" d=\"M{left} {first}h{w}v{h}h-{w}z{borders}\"/>");
        right = right.max(left + w + MARGIN);
        y = first + h + LINE / 2;
    }
    Ok((right, y))
}

/// A line of text; where it ends.
fn line(out: &mut String, y: &mut i64, text: &str) -> i64 {
    *y += LINE;
    let _ = writeln!(out, "<text class=\"t\" x=\"{MARGIN}\" y=\"{}\">{}</text>", *y - 4, escape(text));
    2 * MARGIN + 8 * text.chars().count() as i64
}

/// What the colours stand for: the hue is the lane, the shade the slot, a bar at the left edge the subgroup.
fn legend(out: &mut String, y: &mut i64, layout: &Layout) -> i64 {
    /// More swatches say nothing that these do not.
    const SHOWN: i64 = 8;
    let [n_slots, n_lanes, n_subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware));
    let (top, [w, h]) = (*y + 4, [CELL[0] - 8, LINE]);
    let mut x = MARGIN;
    for (name, n) in [("lane", n_lanes), ("slot", n_slots), ("subgroup", n_subgroups)] {
        if n == 1 {
            continue;
        }
        let _ = writeln!(out, "<text class=\"t\" x=\"{x}\" y=\"{}\">{name}</text>", top + 12);
        x += 8 * name.len() as i64 + 4;
        for number in 0..n.min(SHOWN) {
            let (class, width, fill) = match name {
                "lane" => ("", w, color(number, 0, n_slots)),
                "slot" => ("", w, color(0, number, n_slots)),
                _ => (" class=\"e\"", BAR, subgroup_color(number)),
            };
            let _ = writeln!(
                out,
                "<rect{class} x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{h}\" fill=\"{fill}\"/>\
                 <text x=\"{}\" y=\"{}\">{number}</text>",
                x + w / 2,
                top + 12,
            );
            x += w;
        }
        if n > SHOWN {
            let _ = writeln!(out, "<text x=\"{}\" y=\"{}\">…</text>", x + 6, top + 12);
            x += 12;
        }
        x += LINE;
    }
    *y = top + h + 4;
    x
}

fn labels(out: &mut String, [rows, columns]: [i64; 2], [left, first]: [i64; 2]) {
    for column in 0..columns {
        let x = left + column * CELL[0] + CELL[0] / 2;
        let _ = writeln!(out, "<text class=\"l\" x=\"{x}\" y=\"{}\">{column}</text>", first - 4);
    }
    for row in 0..rows {
        let y = first + row * CELL[1] + 14;
        let _ = writeln!(out, "<text class=\"l\" x=\"{}\" y=\"{y}\">{row}</text>", left - LABELS / 2);
    }
}

fn subgroups(owners: &[Owner]) -> Vec<i64> {
    let mut all: Vec<i64> = owners.iter().map(|owner| owner.subgroup).collect();
    all.dedup();
    all
}

fn cell(out: &mut String, owners: &[Owner], coord: &[i64], names: &[String], n_slots: i64, [x, y]: [i64; 2]) {
    let [w, h] = CELL;
    let place: Vec<String> = names.iter().zip(coord).map(|(name, c)| format!("{} {c}", escape(name))).collect();
    let list: Vec<String> = coord.iter().map(i64::to_string).collect();
    let (place, at) = (place.join(", "), list.join(","));
    let Some(first) = owners.first() else {
        let _ = writeln!(
            out,
            "<g data-at=\"{at}\"><title>{place}: nothing holds it</title>\
             <rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"#eee\"/></g>"
        );
        return;
    };
    let Owner { subgroup, lane, slot, .. } = first;
    let shown = owners.iter().take(8).map(|owner| {
        let Owner { subgroup, lane, slot, .. } = owner;
        format!("subgroup {subgroup} lane {lane} slot {slot}")
    });
    let more = if owners.len() > 8 { format!(", … ({} in all)", owners.len()) } else { String::new() };
    let title = shown.collect::<Vec<_>>().join(", ") + &more;
    let star = if owners.iter().filter(|owner| owner.subgroup == *subgroup).count() > 1 { "*" } else { "" };
    let _ = writeln!(
        out,
        "<g data-lane=\"{lane}\" data-slot=\"{slot}\" data-subgroup=\"{subgroup}\" data-at=\"{at}\">\
         <title>{place}: {title}</title>\
         <rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\
         <text x=\"{}\" y=\"{}\">{lane}<tspan class=\"s\">:{slot}{star}</tspan></text></g>",
        color(*lane, *slot, n_slots),
        x + w / 2,
        y + 14,
    );
}

/// Text between tags.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
