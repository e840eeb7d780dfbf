//! `raddle layout convert`: the cheapest plan between two layouts of one value, what it costs, and a check of it.

use raddle::{DEFAULT_TARGET, Report, pipeline};
use raddle_layout::access::Banks;
use raddle_layout::picture::{self, BankView, Panel, View};
use raddle_layout::plan::{
    self, Cost, Exchange, Form, Gauge, Machine, Offsets, Plan, PlanError, Registers, Scope, Side, Step,
};
use raddle_layout::{Hardware, Layout, LayoutError};
use raddle_target::Chip;
use serde_json::{Value, json};

use super::spell::{self, Place};
use super::{Answer, Outcome, bad, deliver, misfit, too_large};

/// Flags of `raddle layout convert`.
#[derive(clap::Args)]
pub struct Args {
    /// The layout that the value has: an operand as `NAME:a`, or a layout
    #[arg(long, value_name = "LAYOUT")]
    from: String,
    /// The layout that it is to have
    #[arg(long, value_name = "LAYOUT")]
    to: String,
    /// The value; instructions repeat to cover it
    #[arg(long = "type", value_name = "TYPE")]
    ty: String,
    /// The chip whose costs count
    #[arg(long, default_value = DEFAULT_TARGET)]
    target: String,
    /// Subgroups of the workgroup; as many as the layouts need if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65536))]
    subgroups: Option<i64>,
    /// Lanes of a subgroup, on chips that let the program choose
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65536))]
    subgroup_size: Option<i64>,
    /// The value becomes a factor of a plain product that is summed over this dimension: see whether numbering it anew
    /// keeps each element in its lane
    #[arg(long, value_name = "DIM")]
    summed: Option<usize>,
    /// Execute the plan on integers, and say whether each element arrives
    #[arg(long)]
    check: bool,
    /// Print the plan as JSON
    #[arg(long)]
    pub json: bool,
    /// Draw both layouts with the plan between them as one HTML page
    #[arg(long, conflicts_with = "json")]
    html: bool,
    /// Write to this file instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
}

/// More places than this take long to execute, and prove nothing more.
const PLACES_MAX: i64 = 1 << 24;

/// Plans a conversion.
pub fn convert(args: &Args) -> Outcome {
    let value = spell::value(&args.ty)?;
    let chip = pipeline::chip(&args.target).map_err(Report::nowhere)?;
    let lanes = lanes(chip, args.subgroup_size)?;
    let read = |text: &str, subgroups: Option<i64>| {
        spell::layout(text, Place { lanes: Some(lanes), subgroups, shape: Some(&value.shape) })
    };
    let (source, target) = match args.subgroups {
        Some(_) => (read(&args.from, args.subgroups)?, read(&args.to, args.subgroups)?),
        None => {
            // The one that needs fewer subgroups is replicated over those of the other one.
            let of = |layout: &Layout| layout.count(Hardware::Subgroup);
            let (source, target) = (read(&args.from, None)?, read(&args.to, None)?);
            let most = of(&source).max(of(&target));
            (read(&args.from, Some(most))?, read(&args.to, Some(most))?)
        }
    };
    let machine = chip.machine(lanes);
    let plan = plan::plan(&source, &target, value.bits, &machine).map_err(refused)?;
    let gauge = match args.summed {
        Some(dim) if dim >= value.shape.len() => return Err(bad(format!("{} has no dimension {dim}", value.text))),
        Some(dim) => Some(factor(&source, &target, dim, value.bits, &machine)?),
        None => None,
    };
    let places = source.count(Hardware::Slot).max(target.count(Hardware::Slot));
    let places = places.saturating_mul(lanes).saturating_mul(source.count(Hardware::Subgroup));
    let checked = match args.check {
        false => None,
        true if places > PLACES_MAX => return Err(too_large(format!("more than {PLACES_MAX} places to execute on"))),
        true => Some(execute(&plan, &source, &target)),
    };
    let status = u8::from(matches!(checked, Some(Err(_))));
    let output = args.output.as_deref();
    let bytes = if args.json {
        format!("{}\n", plan_json(&plan, chip, &source, gauge.as_ref(), checked.as_ref())).into_bytes()
    } else if args.html {
        page(args, &plan, &source, &target, chip, &machine)?.into_bytes()
    } else {
        let verdict = match &checked {
            None => String::new(),
            Some(Ok(elements)) => format!("executed: {elements} elements arrived where they belong\n"),
            Some(Err(why)) => format!("executed: wrong: {why}\n"),
        };
        let summed = gauge.as_ref().map(summed).unwrap_or_default();
        format!("{} on {}, {lanes} lanes\n{plan}{summed}{verdict}", value.text, chip.name).into_bytes()
    };
    Ok(Answer { status, ..deliver(output, bytes)? })
}

/// A conversion to a factor of a product.
struct Factor {
    gauge: Gauge,
    /// The value is to be computed with rows and columns exchanged.
    transposed: bool,
}

/// The conversion to a factor that is summed over `dim`, with k numbered anew; or the same of the value computed with
/// rows and columns exchanged, where it is square.
fn factor(
    source: &Layout,
    target: &Layout,
    dim: usize,
    bits: i64,
    machine: &Machine,
) -> Result<Option<Factor>, Report> {
    let ask = |source: &Layout| plan::contraction(source, target, dim, bits, machine).map_err(refused);
    if let Some(gauge) = ask(source)? {
        return Ok(Some(Factor { gauge, transposed: false }));
    }
    match source.shape() {
        [rows, columns] if rows == columns => {
            Ok(ask(&source.permute(&[1, 0]))?.map(|gauge| Factor { gauge, transposed: true }))
        }
        _ => Ok(None),
    }
}

fn summed(factor: &Option<Factor>) -> String {
    let Some(Factor { gauge, transposed }) = factor else {
        return "as a factor: no numbering of k keeps each element in its lane\n".to_owned();
    };
    let first = if *transposed { "computed with rows and columns exchanged, " } else { "" };
    let k = if gauge.k.is_identity() {
        String::new()
    } else {
        let images: Vec<String> = gauge.k.columns().iter().map(u64::to_string).collect();
        format!(", if the bits of k count {} in both factors", images.join(" "))
    };
    format!("as a factor: {first}{} at cost {}{k}\n", gauge.plan.way, gauge.plan.cost.total)
}

/// Why there is no plan: limits are limits, and the rest is a mistake.
fn refused(error: PlanError) -> Report {
    match error {
        PlanError::Layout(LayoutError::TooLarge) | PlanError::Memory { .. } => too_large(error.to_string()),
        error => misfit(error.to_string()),
    }
}

/// The lanes of a subgroup of a chip, as far as the program may choose.
pub fn lanes(chip: &Chip, wanted: Option<i64>) -> Result<i64, Report> {
    let lanes = wanted.unwrap_or(i64::from(chip.subgroup_size));
    chip.check_subgroup_size(lanes).map(|()| lanes).map_err(bad)
}

/// Executes a plan on the elements' numbers; how many places were compared, or the first that is wrong.
fn execute(plan: &Plan, source: &Layout, target: &Layout) -> Result<usize, String> {
    let number = |coord: &[i64]| coord.iter().zip(source.shape()).fold(0, |n, (c, extent)| n * extent + c);
    let fill = |layout: &Layout| {
        let [slots, lanes, subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware) as usize);
        let mut registers = Registers::empty(subgroups, lanes, slots);
        for owner in layout.owners() {
            let place = (owner.subgroup as usize * lanes + owner.lane as usize) * slots + owner.slot as usize;
            registers.values[place] = Some(number(&owner.coord));
        }
        registers
    };
    let wanted = fill(target);
    let got = plan.run(&fill(source)).map_err(|fault| fault.to_string())?;
    if got.n_slots != wanted.n_slots {
        return Err(format!("{} slots instead of {}", got.n_slots, wanted.n_slots));
    }
    let mut compared = 0;
    for (place, value) in wanted.values.iter().enumerate().filter(|(_, value)| value.is_some()) {
        if got.values[place] != *value {
            let (slot, lane) = (place % wanted.n_slots, place / wanted.n_slots % wanted.n_lanes);
            let subgroup = place / wanted.n_slots / wanted.n_lanes;
            return Err(format!(
                "subgroup {subgroup} lane {lane} slot {slot} has {:?} and wants {value:?}",
                got.values[place]
            ));
        }
        compared += 1;
    }
    Ok(compared)
}

fn plan_json(
    plan: &Plan,
    chip: &Chip,
    source: &Layout,
    gauge: Option<&Option<Factor>>,
    checked: Option<&Result<usize, String>>,
) -> Value {
    let rejected: Vec<Value> = plan.rejected.iter().map(|(way, cost)| json!({ "way": way, "cost": cost })).collect();
    let mut value = json!({
        "way": plan.way,
        "target": chip.name,
        "subgroup_size": source.count(Hardware::Lane),
        "subgroups": source.count(Hardware::Subgroup),
        "element_bits": plan.element_bits,
        "cost": cost_json(&plan.cost),
        "steps": plan.steps.iter().map(step_json).collect::<Vec<_>>(),
        "rejected": rejected,
    });
    if let Some(gauge) = gauge {
        value["summed"] = match gauge {
            Some(Factor { gauge, transposed }) => json!({
                "way": gauge.plan.way,
                "cost": gauge.plan.cost.total,
                "k": gauge.k.columns(),
                "transposed": transposed,
            }),
            None => Value::Null,
        };
    }
    if let Some(checked) = checked {
        value["checked"] = match checked {
            Ok(elements) => json!({ "ok": true, "elements": elements }),
            Err(why) => json!({ "ok": false, "why": why }),
        };
    }
    value
}

fn cost_json(cost: &Cost) -> Value {
    json!({
        "total": cost.total,
        "shuffles": cost.shuffles,
        "selects": cost.selects,
        "permutes": cost.permutes,
        "transposes": cost.transposes,
        "stores": cost.stores,
        "loads": cost.loads,
        "instructions": cost.shuffles + cost.selects + cost.permutes + cost.transposes + cost.stores + cost.loads,
        "wavefronts": cost.wavefronts,
        "conflicts": cost.wavefronts - cost.wavefronts_ideal,
        "shared_bytes": cost.shared_bytes,
        "barriers": cost.barriers,
        "subgroup_barriers": cost.subgroup_barriers,
    })
}

fn step_json(step: &Step) -> Value {
    let mut value = match step {
        Step::Slots { from } => json!({ "kind": "slots", "from": from }),
        Step::Turn { .. } => json!({ "kind": "turn" }),
        Step::Shuffle(shuffle) => json!({
            "kind": "shuffle",
            "width": shuffle.width,
            "rounds": shuffle.rounds.len(),
            "rounds_that_stay": shuffle.rounds.iter().filter(|round| round.stays).count(),
            "with": shuffle.rounds.iter().map(|round| round.with).collect::<Vec<_>>(),
        }),
        Step::Transpose { words } => json!({ "kind": "transpose", "words": words }),
        Step::Exchange(exchange) => json!({
            "kind": "exchange",
            "scope": match exchange.scope { Scope::Subgroup => "subgroup", Scope::Workgroup => "workgroup" },
            "elements": exchange.size,
            "rounds": exchange.rounds,
            "store": side_json(&exchange.store, exchange.element_bytes),
            "load": side_json(&exchange.load, exchange.element_bytes),
        }),
    };
    value["text"] = json!(step.to_string());
    value
}

fn side_json(side: &Side, element_bytes: i64) -> Value {
    let form = match side.form {
        Form::Plain => "plain",
        Form::Matrix => "matrix",
        Form::Transposed(_) => "matrix transposed",
    };
    json!({ "form": form, "bytes": side.width as i64 * element_bytes, "instructions": side.instructions })
}

/// Both layouts, the plan between them, and the banks of each exchange.
fn page(
    args: &Args,
    plan: &Plan,
    source: &Layout,
    target: &Layout,
    chip: &Chip,
    machine: &Machine,
) -> Result<String, Report> {
    let view = |title: &str, spelled: &str, layout: &Layout| {
        let (title, layout) = (format!("{title} {spelled}"), layout.clone());
        Panel::Layout(View { title, names: vec![], notes: vec![], tile: spell::tile(spelled), layout })
    };
    let text = plan.to_string();
    let plan_panel = Panel::Text { title: format!("plan on {}", chip.name), text };
    let mut panels = vec![view("from", &args.from, source), plan_panel];
    panels.push(view("to", &args.to, target));
    for step in &plan.steps {
        if let Step::Exchange(exchange) = step {
            let (store, load) = ((&exchange.store, &machine.banks), (&exchange.load, &machine.load_banks));
            for (name, (side, banks)) in [("stores to", store), ("loads from", load)] {
                panels.push(Panel::Banks(bank_view(name, exchange, side, source.count(Hardware::Lane), banks)));
            }
        }
    }
    let title = format!("{} on {}", args.ty, chip.name);
    picture::html(&title, &panels).map_err(|error| too_large(error.to_string()))
}

/// What the first subgroup accesses: vectors of its lanes, or the rows of a matrix.
fn bank_view(name: &str, exchange: &Exchange, side: &Side, lanes: i64, banks: &Banks) -> BankView {
    // An element's offset, without the slot's part where it has one.
    let offset = |lane: usize, access: &plan::Access| match &side.offsets {
        Offsets::Bits(of) => Some((of.at(lane, 0) ^ access.offset) as i64 + access.base),
        Offsets::Digits { layout, strides } => {
            let coord = layout.coord(0, lane as i64, access.slot as i64)?;
            Some(coord.iter().zip(strides).map(|(c, stride)| c * stride).sum())
        }
    };
    let address = |lane: usize, access: &plan::Access| match side.form {
        Form::Plain => {
            let taking = lane as u64 & side.lanes_without == 0 && side.only.at(lane, 0) == access.only;
            offset(lane, access).filter(|_| taking)
        }
        // The eight rows begin where these lanes' elements are.
        Form::Matrix => offset(4 * lane, access),
        Form::Transposed(step) => {
            offset(lane / 2, access).map(|first| if lane % 2 == 1 { first ^ step as i64 } else { first })
        }
    };
    let (what, n, bytes) = match side.form {
        Form::Plain => ("lanes", lanes as usize, side.width as i64 * exchange.element_bytes),
        Form::Matrix | Form::Transposed(_) => ("rows of matrices", 8, 16),
    };
    let access = |access: &plan::Access| {
        (0..n).map(|lane| address(lane, access).map(|offset| offset * exchange.element_bytes)).collect::<Vec<_>>()
    };
    BankView {
        title: format!("{name} shared memory: {what} of subgroup 0"),
        bytes,
        banks: banks.clone(),
        accesses: side.accesses.iter().map(access).collect(),
    }
}
