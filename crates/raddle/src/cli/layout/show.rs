//! `raddle layout show`: pictures, tables, JSON, and questions both ways.

use std::fmt::Write;

use clap::builder::PossibleValue;
use raddle::Report;
use raddle_ir::{Code, Diag};
use raddle_layout::picture::{self, Mode, Panel, View};
use raddle_layout::{Hardware, Layout, Owner};
use raddle_target::catalogue::Named;
use raddle_target::{Operand, mma};
use serde_json::{Value, json};

use super::spell::{self, Place, Spelling};
use super::{Outcome, bad, deliver, too_large};

/// Flags of `raddle layout show`.
#[derive(clap::Args)]
pub struct Args {
    /// A matrix instruction, by the catalogue's id or IREE's name, or a layout: `#iree_vector_ext.nested_layout<…>`,
    /// CuTe's `(lanes,slots):(strides)`, or bases of bits
    #[arg(value_name = "NAME|LAYOUT", allow_hyphen_values = true)]
    what: String,
    /// Which operand of the instruction; all three if missing
    #[arg(long, value_parser = ["a", "b", "c"])]
    operand: Option<String>,
    /// The value that the layout is for; as large as the layout if missing
    #[arg(long = "type", value_name = "TYPE")]
    ty: Option<String>,
    /// Lanes of a subgroup; as many as the layout needs if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65536))]
    subgroup_size: Option<i64>,
    /// Subgroups of the workgroup; as many as the layout needs if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65536))]
    subgroups: Option<i64>,
    /// What a cell shows: the lane, the lane and its slot; or a table by lanes; or a spelling
    #[arg(long, default_value = "lane", value_parser = clap::builder::PossibleValuesParser::new(view_names()))]
    view: String,
    /// Columns to fit into; those of the terminal if missing
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..))]
    width: Option<u16>,
    /// Draw a table that repeats itself once, and say how often it repeats
    #[arg(long)]
    elide: bool,
    /// Draw so many of the operand below each other and side by side, each with registers of its own
    #[arg(long, value_name = "ROWS,COLUMNS", value_delimiter = ',', num_args = 1..=2, value_parser = clap::value_parser!(i64).range(1..=4096), conflicts_with_all = ["owner", "lane", "json"])]
    repeat: Option<Vec<i64>>,
    /// Draw rows as columns, as vendors do with b
    #[arg(long, conflicts_with_all = ["owner", "lane", "json"])]
    transpose: bool,
    /// Who owns the element at these coordinates
    #[arg(long, value_name = "R,C", value_delimiter = ',', conflicts_with_all = ["svg", "html", "lane"])]
    owner: Option<Vec<i64>>,
    /// What a lane holds, in all slots or in one
    #[arg(long, value_name = "LANE[,SLOT]", value_delimiter = ',', num_args = 1..=2, conflicts_with_all = ["svg", "html"])]
    lane: Option<Vec<i64>>,
    /// Draw an SVG
    #[arg(long, conflicts_with_all = ["html", "json"])]
    svg: bool,
    /// Draw one HTML page to explore
    #[arg(long, conflicts_with = "json")]
    html: bool,
    /// Print every owner as JSON
    #[arg(long)]
    pub json: bool,
    /// Write to this file instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
}

/// The long name of the table by lanes.
const HARDWARE: &str = "hardware";
/// Wide enough for the tables of the widest operand, where there is no terminal.
const WIDTH: usize = 120;
/// More owners than this are megabytes of JSON that no one reads.
const OWNERS_MAX: i64 = 1 << 22;

fn view_names() -> Vec<PossibleValue> {
    let value = |&(mode, name): &(Mode, &'static str)| match mode {
        Mode::Hardware => PossibleValue::new(name).alias(HARDWARE),
        _ => PossibleValue::new(name),
    };
    Mode::ALL.iter().map(value).collect()
}

/// One layout: as the hardware has it, and as it is drawn.
struct Subject {
    /// The operand's name, where all were asked for.
    name: Option<&'static str>,
    /// With the value's dimensions in their own order.
    plain: View,
    /// As it is drawn: with notes, and repeated or transposed where that is asked for.
    drawn: View,
}

/// Draws a layout, or answers a question about it.
pub fn show(args: &Args) -> Outcome {
    let output = args.output.as_deref();
    let subjects = subjects(args)?;
    if let Some(coord) = &args.owner {
        return answer(args, &subjects, |view| owner(view, coord, subjects.len() > 1));
    }
    if let Some(lane) = &args.lane {
        return answer(args, &subjects, |view| holds(view, lane));
    }
    if args.json {
        return deliver(output, together(&subjects, owners)?.into_bytes());
    }
    let mode = if args.view == HARDWARE { Some(Mode::Hardware) } else { Mode::from_name(&args.view) };
    let mode = mode.unwrap_or_default();
    let pictured = args.svg || args.html || matches!(mode, Mode::Lane | Mode::LaneSlot | Mode::Hardware);
    // What is written in a line is the value's own layout.
    let drawn: Vec<View> = if pictured {
        subjects.into_iter().map(|subject| arranged(subject.drawn, args)).collect::<Result<_, _>>()?
    } else if args.repeat.is_some() || args.transpose {
        return Err(bad(format!("`--repeat` and `--transpose` are for pictures, not for `--view={}`", args.view)));
    } else {
        subjects.into_iter().map(|subject| subject.plain).collect()
    };
    if args.svg {
        let svg = picture::svg(&drawn).map_err(|error| too_large(error.to_string()))?;
        return deliver(output, svg.into_bytes());
    }
    if args.html {
        let panels: Vec<Panel> = drawn.into_iter().map(Panel::Layout).collect();
        let page = picture::html(&args.what, &panels).map_err(|error| too_large(error.to_string()))?;
        return deliver(output, page.into_bytes());
    }
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let width = args.width.map(usize::from).or_else(terminal).unwrap_or(WIDTH);
    let options = picture::Options { mode, width, elide: args.elide };
    let pictures = drawn.iter().map(|view| picture::draw(view, &options).map_err(|error| too_large(error.to_string())));
    deliver(output, pictures.collect::<Result<Vec<_>, _>>()?.join("\n").into_bytes())
}

/// A picture as `--repeat` and `--transpose` ask for it; rows and columns of `--repeat` are those of the picture.
fn arranged(view: View, args: &Args) -> Result<View, Report> {
    let rank = view.layout.rank();
    let view = if args.transpose { view.transposed() } else { view };
    if args.transpose && rank < 2 {
        return Err(bad(format!("{} has no rows to be drawn as columns", view.title)));
    }
    match args.repeat.as_deref() {
        Some(&[rows, _]) if rows > 1 && rank < 2 => Err(bad(format!("{} has no rows to be repeated", view.title))),
        Some(&[rows, columns]) => {
            view.repeated([rows, columns]).map_err(|error| bad(format!("it cannot be repeated: {error}")))
        }
        Some(_) => Err(bad("`--repeat` takes rows and columns, as in `--repeat=1,2`")),
        None => Ok(view),
    }
}

/// What the command names.
fn subjects(args: &Args) -> Result<Vec<Subject>, Report> {
    let value = args.ty.as_deref().map(spell::value).transpose()?;
    let shape = value.as_ref().map(|value| value.shape.as_slice());
    let place = Place { lanes: args.subgroup_size, subgroups: args.subgroups, shape };
    let Spelling::Name(name, operand) = spell::spelling(&args.what) else {
        if args.operand.is_some() {
            return Err(bad("only instructions have operands"));
        }
        let layout = spell::layout(&args.what, place)?;
        let names = (0..layout.rank()).map(|d| format!("d{d}")).collect();
        let title = args.what.trim().to_owned();
        // A picture has no words for an element that nothing holds, or that two places do.
        let notes = if value.is_some() { super::check::cover(&layout).unwrap_or_default() } else { Vec::new() };
        let drawn = View { title: title.clone(), names: vec![], notes, tile: vec![], layout: layout.clone() };
        return Ok(vec![Subject {
            name: None,
            plain: View { title, names, notes: vec![], tile: vec![], layout },
            drawn,
        }]);
    };
    let named = spell::for_lanes(spell::named(name)?, args.subgroup_size);
    let operand = args.operand.as_deref().and_then(Operand::from_name).or(operand);
    let operands = operand.map_or(Operand::ALL.to_vec(), |operand| vec![operand]);
    let one = |wanted: &Operand| {
        let subject = subject(name, named, *wanted, place)?;
        Ok(Subject { name: operand.is_none().then(|| wanted.name()), ..subject })
    };
    // Of some instructions one operand is in memory: the others are shown, and say so.
    let missing: Vec<String> =
        operands.iter().filter_map(|&operand| named.map(operand).err()).map(|error| error.to_string()).collect();
    let mapped = operands.iter().filter(|&&operand| named.map(operand).is_ok() || missing.len() == operands.len());
    let mut all = mapped.map(one).collect::<Result<Vec<Subject>, Report>>()?;
    if let Some(first) = all.first_mut() {
        first.drawn.notes.extend(missing);
    }
    Ok(all)
}

fn subject(name: &str, named: Named, operand: Operand, place: Place) -> Result<Subject, Report> {
    let mut drawn = named.view(operand).map_err(|error| bad(error.to_string()))?;
    let map = named.map(operand).map_err(|error| bad(error.to_string()))?;
    let layout = match place.shape {
        Some(_) => spell::layout(&format!("{name}:{}", operand.name()), place)?,
        None => spell::operand_layout(named, operand, place)?,
    };
    let names: Vec<String> = map.dims.chars().map(String::from).collect();
    let as_it_is = place.shape.is_none() && layout == map.layout();
    let own = mma(name).filter(|row| row.issued.is_none());
    match own.filter(|row| as_it_is && layout.count(Hardware::Lane) == i64::from(row.subgroup_size)) {
        // The instructions that passes choose have notes of their own.
        Some(row) => drawn = row.view(operand).map_err(|error| bad(error.to_string()))?,
        None => drawn.layout = layout.clone(),
    }
    let plain = View { title: drawn.title.clone(), names, notes: vec![], tile: vec![], layout };
    Ok(Subject { name: None, plain, drawn })
}

/// One answer, or one for each operand, as a line of JSON.
fn together(subjects: &[Subject], json: impl Fn(&View) -> Result<String, Report>) -> Result<String, Report> {
    if let [only @ Subject { name: None, .. }] = subjects {
        return Ok(json(&only.plain)? + "\n");
    }
    let entry = |subject: &Subject| Ok(format!("\"{}\":{}", subject.name.unwrap_or_default(), json(&subject.plain)?));
    let entries = subjects.iter().map(entry).collect::<Result<Vec<String>, Report>>()?;
    Ok(format!("{{{}}}\n", entries.join(",")))
}

/// `{"dims": […], "shape": […], …, "owners": [[subgroup, lane, slot, [coordinate…]], …]}`
fn owners(view: &View) -> Result<String, Report> {
    let layout = &view.layout;
    let [slots, lanes, subgroups] = counts(layout);
    if slots.saturating_mul(lanes).saturating_mul(subgroups) > OWNERS_MAX {
        return Err(too_large(format!("the layout has more than {OWNERS_MAX} places")));
    }
    // There may be millions of owners: they go straight into the text.
    let mut rows = String::new();
    for owner in layout.owners() {
        let Owner { subgroup, lane, slot, coord } = owner;
        let comma = if rows.is_empty() { "" } else { "," };
        let _ = write!(rows, "{comma}[{subgroup},{lane},{slot},{}]", json!(coord));
    }
    let (dims, shape) = (json!(view.names), json!(layout.shape()));
    Ok(format!("{{\"dims\":{dims},\"shape\":{shape},\"subgroup_size\":{lanes},\"slots\":{slots},\"owners\":[{rows}]}}"))
}

fn counts(layout: &Layout) -> [i64; 3] {
    Hardware::ALL.map(|hardware| layout.count(hardware))
}

/// An answer in words and as JSON.
type Said = (String, Value);

fn answer(args: &Args, subjects: &[Subject], ask: impl Fn(&View) -> Result<Said, Report>) -> Outcome {
    let output = args.output.as_deref();
    if args.json {
        return deliver(output, together(subjects, |view| ask(view).map(|said| said.1.to_string()))?.into_bytes());
    }
    let texts: Vec<String> =
        subjects.iter().map(|subject| ask(&subject.plain).map(|said| said.0)).collect::<Result<_, _>>()?;
    deliver(output, texts.join("\n").into_bytes())
}

fn owner(view: &View, coord: &[i64], several: bool) -> Result<Said, Report> {
    let shape = view.layout.shape();
    let extents: Vec<String> = view.names.iter().zip(shape).map(|(name, extent)| format!("{name} {extent}")).collect();
    if coord.len() != shape.len() || coord.iter().zip(shape).any(|(&c, &extent)| !(0..extent).contains(&c)) {
        let help = if several { "name one operand with `--operand`" } else { "coordinates count from 0" };
        let message = format!("{} has no element {coord:?}: it has {}", view.title, extents.join(" x "));
        return Err(Report::nowhere(Diag::nowhere(Code::BadInput, message).help(help)));
    }
    let [slots, lanes, subgroups] = counts(&view.layout);
    if slots.saturating_mul(lanes).saturating_mul(subgroups) > OWNERS_MAX {
        return Err(too_large(format!("the layout has more than {OWNERS_MAX} places")));
    }
    let all: Vec<_> = view.layout.owners_of(coord).collect();
    let mut text = format!("{}: element {} is held by\n", view.title, at(&view.names, coord));
    for owner in &all {
        text += &format!("  {}\n", place(owner.subgroup, owner.lane, owner.slot, subgroups));
    }
    if all.is_empty() {
        text += "  nothing\n";
    }
    let rows: Vec<Value> = all.iter().map(|owner| json!([owner.subgroup, owner.lane, owner.slot])).collect();
    Ok((text, json!({ "dims": view.names, "element": coord, "owners": rows })))
}

fn holds(view: &View, question: &[i64]) -> Result<Said, Report> {
    let [slots, lanes, subgroups] = counts(&view.layout);
    let (lane, slot) = match *question {
        [lane] => (lane, None),
        [lane, slot] => (lane, Some(slot)),
        _ => return Err(bad("`--lane` takes a lane, or a lane and a slot")),
    };
    if !(0..lanes).contains(&lane) || slot.is_some_and(|slot| !(0..slots).contains(&slot)) {
        return Err(bad(format!("{} has lanes 0 to {} and slots 0 to {}", view.title, lanes - 1, slots - 1)));
    }
    if slots.saturating_mul(subgroups) > OWNERS_MAX {
        return Err(too_large(format!("the lane has more than {OWNERS_MAX} places")));
    }
    let mut text = format!("{}: lane {lane} holds\n", view.title);
    let mut rows = Vec::new();
    for subgroup in 0..subgroups {
        for slot in slot.map_or(0..slots, |slot| slot..slot + 1) {
            let coord = view.layout.coord(subgroup, lane, slot);
            let held = coord.as_ref().map_or("nothing".to_owned(), |coord| at(&view.names, coord));
            let place = if subgroups > 1 { format!("subgroup {subgroup} slot {slot}") } else { format!("slot {slot}") };
            text += &format!("  {place}: {held}\n");
            rows.extend(coord.map(|coord| json!([subgroup, lane, slot, coord])));
        }
    }
    Ok((text, json!({ "dims": view.names, "lane": lane, "holds": rows })))
}

/// `(m 3, k 5)`
fn at(names: &[String], coord: &[i64]) -> String {
    let parts: Vec<String> = names.iter().zip(coord).map(|(name, c)| format!("{name} {c}")).collect();
    format!("({})", parts.join(", "))
}

fn place(subgroup: i64, lane: i64, slot: i64, subgroups: i64) -> String {
    let prefix = if subgroups > 1 { format!("subgroup {subgroup} ") } else { String::new() };
    format!("{prefix}lane {lane} slot {slot}")
}
