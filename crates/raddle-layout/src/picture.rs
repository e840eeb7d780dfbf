//! Pictures of layouts: as text for any terminal, as SVG, and as a page to explore. The same layout, the same bytes.
//!
//! The main picture in text is the table of owners: one cell for each element, in it the lane that holds it. Subgroups that own
//! other parts of the value get a table each, with the part's place above it. Tables that are wider than the terminal
//! fold into blocks of columns.

mod html;
mod svg;

use std::fmt;

use crate::cute::{Cute, Order};
use crate::layout::{BitForm, Digit, Hardware, Kind, Layout, LayoutError};
use crate::linear::Linear;
use crate::sort::sort_by;

pub use html::{BankView, Panel, html};
pub use svg::svg;

/// What a cell shows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mode {
    /// A cell for each element: the lane that holds it.
    #[default]
    Lane,
    /// A cell for each element: the lane and the slot.
    LaneSlot,
    /// A row for each lane, a column for each slot: the element's coordinate.
    Hardware,
    /// One line: what each bit of the lane's, slot's and subgroup's number stands for.
    Bits,
    /// One line: the nested layout, where there is one.
    Nested,
    /// One line: CuTe's shape and stride, where there are some.
    Cute,
    /// One line: bases over F2, where there are some.
    Linear,
}

impl Mode {
    /// Every mode with the name that users type.
    pub const ALL: &[(Mode, &str)] = &[
        (Mode::Lane, "lane"),
        (Mode::LaneSlot, "lane:slot"),
        (Mode::Hardware, "hw"),
        (Mode::Bits, "bits"),
        (Mode::Nested, "nested"),
        (Mode::Cute, "cute"),
        (Mode::Linear, "linear"),
    ];

    /// The mode with this name.
    pub fn from_name(name: &str) -> Option<Mode> {
        Mode::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// How to draw.
#[derive(Clone, Debug)]
pub struct Options {
    /// What a cell shows.
    pub mode: Mode,
    /// Columns of the terminal; wider tables fold.
    pub width: usize,
    /// Draw a table that repeats itself once, and say how often it repeats.
    pub elide: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { mode: Mode::Lane, width: 120, elide: false }
    }
}

/// A layout with what one needs to know to read its picture.
#[derive(Clone, Debug)]
pub struct View {
    /// What it is the layout of.
    pub title: String,
    /// A name for each dimension; missing ones are named i, j, k, …
    pub names: Vec<String>,
    /// What else to say above the picture, a line each.
    pub notes: Vec<String>,
    /// The extents of the instruction's tile that the layout repeats, between which thick lines run; empty where there
    /// is none.
    pub tile: Vec<i64>,
    /// The layout.
    pub layout: Layout,
}

/// The layout has too many places to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// How many it has.
    pub places: i64,
    /// How many can be drawn.
    pub most: i64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a layout with {} places is too large to draw; at most {} can be", self.places, self.most)
    }
}

impl std::error::Error for TooLarge {}

/// A picture of more cells would be megabytes of text that no one reads.
const PLACES_MAX: i64 = 1 << 20;

/// Draws a layout.
pub fn draw(view: &View, options: &Options) -> Result<String, TooLarge> {
    let layout = &view.layout;
    let names: Vec<String> = (0..layout.rank()).map(|d| view.name(d)).collect();
    let mut out = header(view, &names, options.mode);
    let line = match options.mode {
        Mode::Bits => Some(format!("{} -> {}", bits(layout, &names), extents(layout, &names))),
        Mode::Nested => Some(nested(layout)),
        Mode::Cute => Some(spelled(Cute::from_layout(&layout.canonical(), Order::ColumnMajor), "CuTe layout")),
        Mode::Linear => Some(spelled(Linear::from_layout(layout), "linear layout")),
        Mode::Lane | Mode::LaneSlot | Mode::Hardware => None,
    };
    if let Some(line) = line {
        return Ok(out + &line + "\n");
    }
    let places: i64 = Hardware::ALL.iter().map(|&hardware| layout.count(hardware)).product();
    let elements = layout.shape().iter().try_fold(1i64, |n, &extent| n.checked_mul(extent)).unwrap_or(i64::MAX);
    let cells = elements.saturating_mul(layout.count(Hardware::Subgroup));
    if places.max(cells) > PLACES_MAX {
        return Err(TooLarge { places: places.max(cells), most: PLACES_MAX });
    }
    let groups = groups(layout, options.mode);
    if groups.iter().flat_map(|group| &group.cells).any(|cell| cell.ends_with('*')) {
        out += "* marks an element that a subgroup holds several times; the first place is shown\n";
    }
    for group in groups {
        out.push('\n');
        out += &group.draw(layout, &names, options);
    }
    Ok(out)
}

/// One line that says what each bit of the hardware's numbers stands for, least significant first: `k2` is bit 2 of
/// coordinate k, `0` a replica, `x` a bit that must be 0 for the place to hold anything, `+` a part of a sum, and
/// `n3*12` a digit of extent 12 that counts in steps of 2^3 along n. Of a swizzled layout, `m0^k1` flips both bits.
pub fn bits(layout: &Layout, names: &[String]) -> String {
    if let (Some(_), Ok(form)) = (layout.swizzle(), layout.to_f2()) {
        return swizzled_bits(&form, names);
    }
    let line = |hardware: Hardware| {
        let tokens: Vec<String> = layout.digits(hardware).iter().flat_map(|digit| tokens(digit, names)).collect();
        format!("{}[{}]", hardware.name(), tokens.join(" "))
    };
    let mut parts = vec![line(Hardware::Lane), line(Hardware::Slot)];
    if layout.count(Hardware::Subgroup) > 1 {
        parts.push(line(Hardware::Subgroup));
    }
    parts.join(" ")
}

/// The same line from the images of bits.
fn swizzled_bits(form: &BitForm, names: &[String]) -> String {
    // Bits of all coordinates, the last dimension's lowest.
    let mut coordinate_bits: Vec<String> = Vec::new();
    for (name, extent) in names.iter().zip(&form.shape).rev() {
        coordinate_bits.extend((0..extent.trailing_zeros()).map(|bit| format!("{name}{bit}")));
    }
    let image = |image: u64, kind: Kind| {
        let flipped = coordinate_bits.iter().enumerate().filter(|(bit, _)| image >> bit & 1 == 1);
        let flipped: Vec<&str> = flipped.map(|(_, name)| name.as_str()).collect();
        if flipped.is_empty() { mark(kind).to_string() } else { flipped.join("^") }
    };
    let line = |hardware: Hardware| {
        let mut all: Vec<(i64, String)> =
            form.of(hardware).map(|column| (column.step, image(column.image, column.kind))).collect();
        let odd = form.odd.iter().filter(|odd| odd.hardware == hardware);
        all.extend(odd.map(|odd| {
            let weights = odd.weights.iter().zip(&form.shape).map(|(w, extent)| w << extent.trailing_zeros());
            let digit = Digit { extent: odd.extent, weights: weights.collect(), kind: odd.kind };
            (odd.step, tokens(&digit, names).join(" "))
        }));
        sort_by(&mut all, Ord::cmp);
        let tokens: Vec<String> = all.into_iter().map(|(_, token)| token).collect();
        format!("{}[{}]", hardware.name(), tokens.join(" "))
    };
    let mut parts = vec![line(Hardware::Lane), line(Hardware::Slot)];
    let subgroups = line(Hardware::Subgroup);
    parts.extend(Some(subgroups).filter(|line| line != "subgroup[]"));
    parts.join(" ")
}

fn nested(layout: &Layout) -> String {
    match layout.to_nested() {
        Ok((nested, order)) => {
            let mut moving = order.iter().filter(|&&axis| nested.distributed_shape()[axis] > 1);
            let row_major = moving.clone().is_sorted();
            let axis = |axis: &usize| {
                let level = ["batch", "outer", "element"][axis / nested.rank().max(1)];
                format!("{level} {}", axis % nested.rank().max(1))
            };
            let axes: Vec<String> = moving.by_ref().map(axis).collect();
            if row_major { nested.to_string() } else { format!("{nested}, slots in the order {}", axes.join(", ")) }
        }
        Err(error) => format!("no nested layout: {error}"),
    }
}

fn spelled<T: fmt::Display, E: fmt::Display>(result: Result<T, E>, what: &str) -> String {
    match result {
        Ok(spelling) => spelling.to_string(),
        Err(error) => format!("no {what}: {error}"),
    }
}

fn mark(kind: Kind) -> &'static str {
    match kind {
        Kind::Replicate => "0",
        Kind::Unused => "x",
        Kind::Partial => "+",
        Kind::Shard => "",
    }
}

impl View {
    /// With rows and columns exchanged; as it is where it has no rows.
    pub fn transposed(mut self) -> View {
        let rank = self.layout.rank();
        if rank < 2 {
            return self;
        }
        self.names = (0..rank).map(|d| self.name(d)).collect();
        let mut perm: Vec<usize> = (0..rank).collect();
        perm.swap(rank - 2, rank - 1);
        self.notes.push(format!("drawn transposed: each row is a column, along {}", self.names[rank - 2]));
        self.names.swap(rank - 2, rank - 1);
        if self.tile.len() == rank {
            self.tile.swap(rank - 2, rank - 1);
        }
        self.layout = self.layout.permute(&perm);
        self
    }

    /// So many of the value below each other and side by side, each with slots of its own. What has no rows is not
    /// repeated along them.
    pub fn repeated(mut self, [rows, columns]: [i64; 2]) -> Result<View, LayoutError> {
        let rank = self.layout.rank();
        let mut times = vec![1; rank];
        times.iter_mut().rev().zip([columns, rows]).for_each(|(times, n)| *times = n);
        if times.iter().all(|&n| n == 1) {
            return Ok(self);
        }
        let slots = plural(self.layout.count(Hardware::Slot), "slot");
        let mut digits = [Hardware::Slot, Hardware::Lane, Hardware::Subgroup, Hardware::Offset]
            .map(|hardware| self.layout.digits(hardware).to_vec());
        for d in (0..rank).rev().filter(|&d| times[d] != 1) {
            digits[Hardware::Slot as usize].push(Digit::shard(times[d], rank, d, self.layout.shape()[d]));
            self.notes.push(format!("{} of them along {}, each with its own {slots}", times[d], self.name(d)));
        }
        let shape = self.layout.shape().iter().zip(&times).map(|(extent, n)| extent.saturating_mul(*n));
        let swizzle = self.layout.swizzle().cloned();
        if self.tile.is_empty() {
            self.tile = self.layout.shape().to_vec();
        }
        self.layout = Layout::of_digits(shape.collect(), digits)?;
        if let Some(swizzle) = swizzle {
            self.layout = self.layout.with_swizzle(&swizzle)?;
        }
        Ok(self)
    }

    /// The tile along the rows and the columns of a picture; 0 where there is none.
    fn tile_below(&self) -> [i64; 2] {
        let at = |back: usize| self.tile.len().checked_sub(back).map_or(0, |d| self.tile[d].max(0));
        [at(2), at(1)]
    }

    fn name(&self, dim: usize) -> String {
        let letter = || "ijklmnop".chars().nth(dim).map_or(format!("d{dim}_"), String::from);
        self.names.get(dim).cloned().unwrap_or_else(letter)
    }
}

fn header(view: &View, names: &[String], mode: Mode) -> String {
    let layout = &view.layout;
    let shape = if names.is_empty() { "one element".to_string() } else { extents(layout, names) };
    let n_subgroups = layout.count(Hardware::Subgroup);
    let counts =
        format!("{}, {}", plural(layout.count(Hardware::Lane), "lane"), plural(layout.count(Hardware::Slot), "slot"));
    let subgroups = if n_subgroups > 1 { format!("{n_subgroups} subgroups of ") } else { String::new() };
    let mut out = format!("{}: {shape}\n{subgroups}{counts} each; {}\n", view.title, legend(names, mode));
    for note in &view.notes {
        out += note;
        out.push('\n');
    }
    out
}

/// `m 16 x n 8`
fn extents(layout: &Layout, names: &[String]) -> String {
    let extents = names.iter().zip(layout.shape()).map(|(name, extent)| format!("{name} {extent}"));
    extents.collect::<Vec<_>>().join(" x ")
}

fn plural(count: i64, noun: &str) -> String {
    if count == 1 { format!("{count} {noun}") } else { format!("{count} {noun}s") }
}

fn legend(names: &[String], mode: Mode) -> String {
    let cell = match mode {
        Mode::Lane => "a cell is the lane that holds the element",
        Mode::LaneSlot => "a cell is lane:slot of the element",
        Mode::Hardware => {
            return format!("rows are lanes, columns slots, a cell is the coordinate {}", names.join(","));
        }
        Mode::Bits => return "bits are listed from the least significant".to_string(),
        Mode::Nested => return "strides count subgroups and lanes".to_string(),
        Mode::Cute => return "(lanes, slots, subgroups) to column-major elements".to_string(),
        Mode::Linear => return "the image of each bit".to_string(),
    };
    match names {
        [] => cell.to_string(),
        [only] => format!("columns {only}, {cell}"),
        [.., rows, columns] => format!("rows {rows}, columns {columns}, {cell}"),
    }
}

fn tokens(digit: &Digit, names: &[String]) -> Vec<String> {
    let mark = mark(digit.kind);
    if digit.extent == 1 {
        return Vec::new();
    }
    let doublings = if digit.extent.count_ones() == 1 { digit.extent.trailing_zeros() } else { 0 };
    if !mark.is_empty() {
        return match doublings {
            0 => vec![format!("{mark}*{}", digit.extent)],
            _ => vec![mark.to_string(); doublings as usize],
        };
    }
    let moved: Vec<(usize, i64)> =
        digit.weights.iter().copied().enumerate().filter(|&(_, weight)| weight != 0).collect();
    match moved[..] {
        [(dim, weight)] if weight.count_ones() == 1 => {
            let (name, low) = (&names[dim], weight.trailing_zeros());
            match doublings {
                0 => vec![format!("{name}{low}*{}", digit.extent)],
                _ => (0..doublings).map(|bit| format!("{name}{}", low + bit)).collect(),
            }
        }
        // Steps that are not a power of two, or along several dimensions at once.
        _ => {
            let steps: Vec<String> = moved.iter().map(|&(dim, weight)| format!("{weight}{}", names[dim])).collect();
            vec![format!("({})*{}", steps.join("+"), digit.extent)]
        }
    }
}

/// Subgroups with the same table.
struct Group {
    subgroups: Vec<i64>,
    /// The part of the table's axes that is not empty.
    first: Vec<i64>,
    extents: Vec<i64>,
    /// Row-major; empty text where nothing is held.
    cells: Vec<String>,
}

fn groups(layout: &Layout, mode: Mode) -> Vec<Group> {
    let [n_slots, n_lanes, n_subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware));
    let axes = if mode == Mode::Hardware { vec![n_lanes, n_slots] } else { layout.shape().to_vec() };
    let mut groups: Vec<Group> = Vec::new();
    for subgroup in 0..n_subgroups {
        let mut cells = vec![String::new(); axes.iter().product::<i64>() as usize];
        for lane in 0..n_lanes {
            for slot in 0..n_slots {
                let Some(coord) = layout.coord(subgroup, lane, slot) else { continue };
                if mode == Mode::Hardware {
                    let text: Vec<String> = coord.iter().map(i64::to_string).collect();
                    cells[(lane * n_slots + slot) as usize] = text.join(",");
                    continue;
                }
                let index = coord.iter().zip(&axes).fold(0, |index, (c, extent)| index * extent + c);
                let cell = &mut cells[index as usize];
                if cell.is_empty() {
                    *cell = if mode == Mode::Lane { lane.to_string() } else { format!("{lane}:{slot}") };
                } else if !cell.ends_with('*') {
                    cell.push('*');
                }
            }
        }
        match groups.iter_mut().find(|group| group.cells == cells) {
            Some(group) => group.subgroups.push(subgroup),
            None => groups.push(Group { subgroups: vec![subgroup], first: vec![], extents: axes.clone(), cells }),
        }
    }
    for group in &mut groups {
        group.crop();
    }
    groups
}

impl Group {
    /// Cuts away empty margins.
    fn crop(&mut self) {
        let rank = self.extents.len();
        let (mut first, mut last) = (self.extents.clone(), vec![0; rank]);
        for (index, _) in self.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            for (d, c) in crate::nested::delinearize(index as i64, &self.extents).into_iter().enumerate() {
                first[d] = first[d].min(c);
                last[d] = last[d].max(c);
            }
        }
        let extents: Vec<i64> = first.iter().zip(&last).map(|(first, last)| (last + 1 - first).max(0)).collect();
        self.cells = (0..extents.iter().product())
            .map(|index| {
                let coord = crate::nested::delinearize(index, &extents);
                let place = (0..rank).fold(0, |place, d| place * self.extents[d] + first[d] + coord[d]);
                self.cells[place as usize].clone()
            })
            .collect();
        (self.first, self.extents) = (first, extents);
    }

    /// Keeps one period along each axis; how often each repeats.
    fn elide(&mut self) -> Vec<i64> {
        let mut repeats = Vec::new();
        for d in 0..self.extents.len() {
            let extent = self.extents[d];
            let stride: i64 = self.extents[d + 1..].iter().product();
            let at = |index: i64| index / stride % extent;
            let repeats_every = |period: i64| {
                (0..self.cells.len() as i64).all(|index| {
                    let earlier = index - at(index) / period * period * stride;
                    self.cells[index as usize] == self.cells[earlier as usize]
                })
            };
            let period = (1..=extent).find(|&period| extent % period == 0 && repeats_every(period)).unwrap_or(extent);
            let kept = (0..self.cells.len() as i64).filter(|&index| at(index) < period);
            self.cells = kept.map(|index| self.cells[index as usize].clone()).collect();
            self.extents[d] = period;
            repeats.push(extent / period.max(1));
        }
        repeats
    }

    fn draw(mut self, layout: &Layout, names: &[String], options: &Options) -> String {
        let mut out = self.caption(layout, names, options.mode);
        let hardware = options.mode == Mode::Hardware;
        if options.elide && !hardware {
            let repeats = self.elide();
            let times = repeats.iter().zip(names).filter(|(times, _)| **times > 1);
            let times: Vec<String> = times.map(|(times, name)| format!("{times} times along {name}")).collect();
            if !times.is_empty() {
                out += &format!("repeats {}\n", times.join(", "));
            }
        }
        let rank = self.extents.len();
        let columns = self.extents.last().copied().unwrap_or(1);
        let rows = if rank > 1 { self.extents[rank - 2] } else { 1 };
        let outer = &self.extents[..rank.saturating_sub(2)];
        for page in 0..outer.iter().product() {
            if !outer.is_empty() {
                let coord = crate::nested::delinearize(page, outer);
                let place = |d: usize| format!("{} = {}", names[d], self.first[d] + coord[d]);
                let places: Vec<String> = (0..outer.len()).map(place).collect();
                out += &format!("{}:\n", places.join(", "));
            }
            let cells = &self.cells[(page * rows * columns) as usize..((page + 1) * rows * columns) as usize];
            let column_name = if hardware { "slots".to_string() } else { names.last().cloned().unwrap_or_default() };
            let first = self.first.last().copied().unwrap_or(0);
            out += &grid(cells, columns as usize, first as usize, &column_name, hardware, options.width);
        }
        out
    }

    /// Which subgroups, and which part of the value, where there is more than one.
    fn caption(&self, layout: &Layout, names: &[String], mode: Mode) -> String {
        if layout.count(Hardware::Subgroup) == 1 {
            return String::new();
        }
        let numbers: Vec<String> = self.subgroups.iter().map(i64::to_string).collect();
        let noun = if numbers.len() == 1 { "subgroup" } else { "subgroups" };
        if mode == Mode::Hardware {
            return format!("{noun} {}:\n", numbers.join(", "));
        }
        let range = |d: usize| format!("{} {}", names[d], span(self.first[d], self.extents[d]));
        let ranges: Vec<String> = (0..self.extents.len()).map(range).collect();
        format!("{noun} {}: {}\n", numbers.join(", "), ranges.join(", "))
    }
}

fn span(first: i64, extent: i64) -> String {
    if extent == 1 { first.to_string() } else { format!("{first}-{}", first + extent - 1) }
}

/// Rows of right-aligned cells; rows wider than `width` continue in a further block of columns.
fn grid(cells: &[String], columns: usize, first: usize, name: &str, numbered: bool, width: usize) -> String {
    let cell_width = cells.iter().map(String::len).max().unwrap_or(0).max(1);
    let rows = cells.len() / columns.max(1);
    let label_width = if numbered { rows.saturating_sub(1).to_string().len() } else { 0 };
    let taken = if numbered { label_width + 2 } else { 0 };
    let fit = ((width.saturating_sub(taken) + 1) / (cell_width + 1)).max(1);
    // Blocks of equal size read best, where one is at least half as wide as what fits.
    let even = (1..=fit.min(columns)).rev().find(|&block| columns.is_multiple_of(block)).unwrap_or(1);
    let block = if 2 * even >= fit || even == columns { even } else { fit };
    let mut out = String::new();
    for start in (0..columns).step_by(block) {
        let end = (start + block).min(columns);
        if block < columns {
            out += &format!("{name} {}:\n", span((first + start) as i64, (end - start) as i64));
        }
        for row in 0..rows {
            if numbered {
                out += &format!("{row:label_width$}: ");
            }
            let texts: Vec<String> = cells[row * columns + start..row * columns + end]
                .iter()
                .map(|cell| format!("{:>cell_width$}", if cell.is_empty() { "." } else { cell }))
                .collect();
            out += &texts.join(" ");
            out.push('\n');
        }
    }
    out
}
