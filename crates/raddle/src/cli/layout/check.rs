//! `raddle layout check`: whether each element of a value has an owner, and each place an element of its own.

use raddle::{Report, pipeline};
use raddle_layout::{Hardware, Kind, Layout, Owner};
use serde_json::json;

use super::convert::lanes;
use super::spell::{self, Place};
use super::{Answer, Outcome, plural, too_large};

/// Flags of `raddle layout check`.
#[derive(clap::Args)]
pub struct Args {
    /// The layout, or an operand as `NAME:a`
    #[arg(value_name = "LAYOUT", allow_hyphen_values = true)]
    layout: String,
    /// The value
    #[arg(long = "type", value_name = "TYPE")]
    ty: String,
    /// The chip that must have the lanes, threads and registers
    #[arg(long)]
    target: Option<String>,
    /// Lanes of a subgroup; the chip's, or as many as the layout needs if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65536))]
    subgroup_size: Option<i64>,
    /// Subgroups of the workgroup; as many as the layout needs if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65536))]
    subgroups: Option<i64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// More places than this are not walked through.
const PLACES_MAX: i64 = 1 << 24;

/// Checks a layout: status 1 where it is bad.
pub fn check(args: &Args) -> Outcome {
    let value = spell::value(&args.ty)?;
    let chip = args.target.as_deref().map(|name| pipeline::chip(name).map_err(Report::nowhere)).transpose()?;
    let size = match chip {
        Some(chip) => Some(lanes(chip, args.subgroup_size)?),
        None => args.subgroup_size,
    };
    let place = Place { lanes: size, subgroups: args.subgroups, shape: Some(&value.shape) };
    let layout = spell::layout(&args.layout, place)?;
    let [slots, lanes, subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware));
    let mut problems = cover(&layout)?;
    if let Some(chip) = chip {
        let threads = lanes.saturating_mul(subgroups);
        if threads > i64::from(chip.threads_max) {
            problems.push(format!("{threads} threads are more than the {} of {}", chip.threads_max, chip.name));
        }
        let registers = slots.saturating_mul(value.bits.max(1)).saturating_add(31) / 32;
        if registers > i64::from(chip.registers_max) {
            problems.push(format!(
                "{} of {} bits need {registers} registers of each thread, and {} has {}",
                plural(slots, "slot"),
                value.bits,
                chip.name,
                chip.registers_max
            ));
        }
    }
    let replicas = layout.replication();
    let status = u8::from(!problems.is_empty());
    if args.json {
        let report = json!({
            "ok": problems.is_empty(),
            "shape": layout.shape(),
            "subgroup_size": lanes,
            "subgroups": subgroups,
            "slots": slots,
            "replication": replicas,
            "problems": problems,
        });
        return Ok(Answer::json(&report, status));
    }
    if let Some(first) = problems.first() {
        let mut report = super::misfit(first.clone());
        report.diags = report
            .diags
            .into_iter()
            .map(|diag| problems[1..].iter().cloned().fold(diag, |diag, more| diag.note(more)))
            .collect();
        return Err(report);
    }
    let copies = if replicas > 1 { format!(", each element {replicas} times") } else { String::new() };
    Ok(Answer::good(format!(
        "good: each element of {} has its owner: {} of {}, {} each{copies}\n",
        value.text,
        plural(subgroups, "subgroup"),
        plural(lanes, "lane"),
        plural(slots, "slot"),
    )))
}

/// What is wrong with a layout: the first element without an owner, and the first with two.
pub fn cover(layout: &Layout) -> Result<Vec<String>, Report> {
    let counts = Hardware::ALL.iter().map(|&hardware| layout.count(hardware));
    let elements = layout.shape().iter().fold(1i64, |n, &extent| n.saturating_mul(extent));
    if counts.fold(1i64, i64::saturating_mul).max(elements) > PLACES_MAX {
        return Err(too_large(format!("a layout with more than {PLACES_MAX} places is not walked through")));
    }
    let [slots, lanes, _] = Hardware::ALL.map(|hardware| layout.count(hardware));
    let number = |owner: &Owner| (owner.subgroup * lanes + owner.lane) * slots + owner.slot;
    // For each element the number of its first place.
    let mut first: Vec<Option<u32>> = vec![None; elements as usize];
    let mut clash = None;
    for owner in layout.owners().filter(|owner| is_original(layout, owner)) {
        let index = owner.coord.iter().zip(layout.shape()).fold(0, |index, (c, extent)| index * extent + c);
        match &first[index as usize] {
            Some(other) if clash.is_none() => clash = Some((i64::from(*other), owner)),
            Some(_) => {}
            None => first[index as usize] = Some(number(&owner) as u32),
        }
    }
    let mut problems = Vec::new();
    if let Some((one, other)) = clash {
        let place = |number: i64| {
            let (subgroup, lane, slot) = (number / slots / lanes, number / slots % lanes, number % slots);
            format!("subgroup {subgroup} lane {lane} slot {slot}")
        };
        problems.push(format!("{} and {} both hold element {:?}", place(one), place(number(&other)), other.coord));
    }
    if let Some(hole) = first.iter().position(Option::is_none) {
        let mut rest = hole as i64;
        let mut coord = vec![0; layout.rank()];
        for d in (0..layout.rank()).rev() {
            coord[d] = rest % layout.shape()[d];
            rest /= layout.shape()[d];
        }
        let holes = first.iter().filter(|owner| owner.is_none()).count();
        problems.push(format!("nothing holds element {coord:?} ({holes} elements have no owner)"));
    }
    Ok(problems)
}

/// Whether a place is the first of its replicas: all digits that only replicate are 0.
fn is_original(layout: &Layout, owner: &Owner) -> bool {
    let numbers = [owner.slot, owner.lane, owner.subgroup];
    Hardware::ALL.iter().zip(numbers).all(|(&hardware, number)| {
        let mut rest = number;
        layout.digits(hardware).iter().all(|digit| {
            let value = rest % digit.extent;
            rest /= digit.extent;
            value == 0 || !matches!(digit.kind, Kind::Replicate | Kind::Partial)
        })
    })
}
