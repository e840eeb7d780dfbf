//! `raddle layout`: draw who owns what.

use raddle::{Report, street};
use raddle_ir::{Attr, Code, Diag, Ir};
use raddle_layout::picture::{self, Mode, View};
use raddle_layout::{Hardware, Layout, Nested};
use raddle_target::{MMAS, Mma, Operand, mma};
use serde_json::{Map, Value, json};

use super::{Answer, Outcome};

/// What can be done with layouts.
#[derive(clap::Subcommand)]
pub enum Verb {
    /// Draw a layout, or the operands of a matrix instruction
    Show(Args),
}

/// Flags of `raddle layout show`.
#[derive(clap::Args)]
pub struct Args {
    /// A matrix instruction (`raddle targets` lists them), or a layout as `#iree_vector_ext.nested_layout<…>`
    #[arg(value_name = "NAME|LAYOUT")]
    what: String,
    /// Which operand of the instruction; all three if missing
    #[arg(long, value_parser = ["a", "b", "c"])]
    operand: Option<String>,
    /// Lanes of a subgroup; as many as the layout needs if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65536))]
    subgroup_size: Option<i64>,
    /// Subgroups of the workgroup; as many as the layout needs if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65536))]
    subgroups: Option<i64>,
    /// What a cell shows: the lane, the lane and its slot; or a table by lanes; or one line of bits
    #[arg(long, default_value = "lane", value_parser = clap::builder::PossibleValuesParser::new(mode_names()))]
    view: String,
    /// Columns to fit into; those of the terminal if missing
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..))]
    width: Option<u16>,
    /// Print every owner as JSON
    #[arg(long)]
    pub json: bool,
}

/// Wide enough for the tables of the widest operand, where there is no terminal.
const WIDTH: usize = 120;
/// More owners than this are megabytes of JSON that no one reads.
const OWNERS_MAX: i64 = 1 << 22;

fn mode_names() -> Vec<&'static str> {
    Mode::ALL.iter().map(|row| row.1).collect()
}

/// Draws a layout.
pub fn show(args: &Args) -> Outcome {
    if args.what.contains('<') {
        let nested = nested(&args.what)?;
        let n_subgroups = args.subgroups.unwrap_or_else(|| nested.n_subgroups());
        let n_lanes = args.subgroup_size.unwrap_or_else(|| nested.n_lanes());
        let layout = Layout::from_nested(&nested, n_subgroups, n_lanes).map_err(|error| bad(error.to_string()))?;
        if args.json {
            let names: Vec<String> = (0..layout.rank()).map(|d| format!("d{d}")).collect();
            return Ok(Answer::json(&owners(&layout, &names)?, 0));
        }
        let view = View { title: args.what.clone(), names: Vec::new(), notes: Vec::new(), layout };
        return draw(args, &[view]);
    }
    let mma = mma(&args.what).ok_or_else(|| {
        Report::nowhere(street::unknown("matrix instruction", &args.what, MMAS.iter().map(|mma| mma.name)))
    })?;
    let operands: Vec<Operand> = match &args.operand {
        Some(name) => Operand::from_name(name).into_iter().collect(),
        None => Operand::ALL.to_vec(),
    };
    if args.json {
        return operands_json(mma, &operands, args);
    }
    let views = operands.iter().map(|&operand| mma.view(operand, None).map_err(|error| bad(error.to_string())));
    draw(args, &views.collect::<Result<Vec<_>, _>>()?)
}

fn draw(args: &Args, views: &[View]) -> Outcome {
    let mode = Mode::from_name(&args.view).unwrap_or_default();
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let width = args.width.map(usize::from).or_else(terminal).unwrap_or(WIDTH);
    let options = picture::Options { mode, width, ..picture::Options::default() };
    let pictures = views.iter().map(|view| picture::draw(view, &options).map_err(|error| too_large(error.to_string())));
    Ok(Answer::good(pictures.collect::<Result<Vec<_>, _>>()?.join("\n")))
}

fn operands_json(mma: &Mma, operands: &[Operand], args: &Args) -> Outcome {
    let one = |operand: Operand| {
        let lanes = args.subgroup_size.map_or(mma.subgroup_size, |size| size as u32);
        let layout = mma.hardware_fragment(operand).layout([1, 1], lanes).map_err(|error| bad(error.to_string()))?;
        owners(&layout, &operand.dims().map(str::to_owned))
    };
    if let [operand] = *operands {
        return Ok(Answer::json(&one(operand)?, 0));
    }
    let entries = operands.iter().map(|&operand| Ok((operand.name().to_owned(), one(operand)?)));
    Ok(Answer::json(&Value::Object(entries.collect::<Result<Map<_, _>, Report>>()?), 0))
}

/// `{"dims": […], "shape": […], …, "owners": [[subgroup, lane, slot, [coordinate…]], …]}`
fn owners(layout: &Layout, names: &[String]) -> Result<Value, Report> {
    let [slots, lanes, subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware));
    if slots.saturating_mul(lanes).saturating_mul(subgroups) > OWNERS_MAX {
        return Err(too_large(format!("the layout has more than {OWNERS_MAX} places")));
    }
    let rows: Vec<Value> =
        layout.owners().map(|owner| json!([owner.subgroup, owner.lane, owner.slot, owner.coord])).collect();
    Ok(json!({
        "dims": names,
        "shape": layout.shape(),
        "subgroup_size": lanes,
        "subgroups": subgroups,
        "slots": slots,
        "owners": rows,
    }))
}

/// The layout that a text spells.
fn nested(text: &str) -> Result<Nested, Report> {
    let text = text.trim();
    // The shell takes a `#` that stands alone for a comment, so that it is easily lost.
    let text = if text.starts_with('#') { text.to_owned() } else { format!("#{text}") };
    let mut ir = Ir::new();
    let attr = raddle_ir::parse_attr(&text, &mut ir).map_err(|diag| Report::new(vec![diag], "<argument>", &text))?;
    match &ir[attr] {
        Attr::Layout(nested) => Ok(nested.clone()),
        _ => Err(bad("this attribute is not a layout".to_owned())),
    }
}

fn bad(message: String) -> Report {
    Report::nowhere(
        Diag::nowhere(Code::BadInput, message)
            .help("a layout is written as `#iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [4, 1]>`"),
    )
}

fn too_large(message: String) -> Report {
    Report::nowhere(Diag::nowhere(Code::TooLarge, message))
}
