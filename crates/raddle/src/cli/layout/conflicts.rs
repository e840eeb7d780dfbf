//! `raddle layout conflicts`: what it costs to move a value between registers and memory.
//!
//! Each lane moves its slots in order, as many at once as follow each other in memory in all lanes. For shared memory
//! that takes wavefronts of its banks, for global memory segments.

use clap::ValueEnum;
use raddle::{DEFAULT_TARGET, Report, pipeline};
use raddle_layout::access::{self, Banks, Segments, Wavefronts};
use raddle_layout::cute::{Cute, Order, Swizzle};
use raddle_layout::picture::{self, BankView, Panel, View};
use raddle_layout::swizzle::{self, Pattern};
use raddle_layout::{Hardware, Layout};
use serde_json::json;

use super::convert::lanes;
use super::spell::{self, Place};
use super::{Outcome, bad, deliver, deliver_json, misfit, too_large};

/// Flags of `raddle layout conflicts`.
#[derive(clap::Args)]
pub struct Args {
    /// The layout of the registers, or an operand as `NAME:a`
    #[arg(value_name = "LAYOUT", allow_hyphen_values = true)]
    layout: String,
    /// The value
    #[arg(long = "type", value_name = "TYPE")]
    ty: String,
    /// The layout of the memory as CuTe writes it, from coordinates to offsets: `(16,32):(40,1)` has rows of 32 elements,
    /// 40 apart; row-major if missing
    #[arg(long, value_name = "CUTE", allow_hyphen_values = true)]
    memory: Option<String>,
    /// Which way the value goes: chips may serve other lanes together in loads than in stores
    #[arg(long, value_enum, default_value_t)]
    access: Access,
    /// The chip whose banks and segments count
    #[arg(long, default_value = DEFAULT_TARGET)]
    target: String,
    /// Lanes of a subgroup, on chips that let the program choose
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65536))]
    subgroup_size: Option<i64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Draw the layout and its banks as one HTML page
    #[arg(long, conflicts_with = "json")]
    html: bool,
    /// Write to this file instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
}

/// A direction between registers and memory.
#[derive(Clone, Copy, Default, ValueEnum)]
enum Access {
    /// From memory
    #[default]
    Load,
    /// To memory
    Store,
}

/// More places than this are not walked through.
const PLACES_MAX: i64 = 1 << 22;

/// No memory is larger.
const OFFSET_MAX: i64 = 1 << 48;

/// Counts conflicts and segments.
pub fn conflicts(args: &Args) -> Outcome {
    let value = spell::value(&args.ty)?;
    if value.bits % 8 != 0 || value.bits > 128 {
        return Err(bad(format!("elements of {} bits are not accessed one by one", value.bits)));
    }
    let chip = pipeline::chip(&args.target).map_err(Report::nowhere)?;
    let size = lanes(chip, args.subgroup_size)?;
    let layout = spell::layout(&args.layout, Place { lanes: Some(size), subgroups: None, shape: Some(&value.shape) })?;
    let counts = Hardware::ALL.iter().map(|&hardware| layout.count(hardware));
    if counts.fold(1i64, i64::saturating_mul) > PLACES_MAX {
        return Err(too_large(format!("a layout with more than {PLACES_MAX} places is not walked through")));
    }
    let offsets = offsets(&layout, args.memory.as_deref())?;
    let machine = chip.machine(size);
    let banks = match args.access {
        Access::Load => machine.load_banks,
        Access::Store => machine.banks,
    };
    let bytes = value.bytes;
    let width = offsets.width(banks.access_bytes_max / bytes);
    let [n_slots, _, n_subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware));
    let (mut wavefronts, mut segments) = (Wavefronts::default(), Segments::default());
    let mut accesses = Vec::new();
    for subgroup in 0..n_subgroups {
        for slot in (0..n_slots).step_by(width as usize) {
            let addresses = offsets.addresses(subgroup, slot, bytes);
            let one = access::wavefronts(&addresses, width * bytes, &banks);
            wavefronts.count += one.count;
            wavefronts.ideal += one.ideal;
            wavefronts.conflict = wavefronts.conflict.or(one.conflict);
            let one = access::segments(&addresses, width * bytes, i64::from(chip.segment_bytes));
            segments.count += one.count;
            segments.ideal += one.ideal;
            segments.bytes += one.bytes;
            if subgroup == 0 {
                accesses.push(addresses);
            }
        }
    }
    let instructions = n_slots / width * n_subgroups;
    let better = match wavefronts.conflict {
        Some(_) if args.memory.is_none() => better(&layout, width, bytes, &banks),
        _ => Vec::new(),
    };
    let output = args.output.as_deref();
    if args.json {
        let conflict = wavefronts.conflict.map(|c| json!({ "lanes": [c.first, c.second], "bank": c.bank }));
        return deliver_json(
            output,
            &json!({
                "target": chip.name,
                "access_bytes": width * bytes,
                "instructions": instructions,
                "shared": {
                    "banks": banks.count,
                    "wavefronts": wavefronts.count,
                    "ideal": wavefronts.ideal,
                    "conflicts": wavefronts.count - wavefronts.ideal,
                    "first": conflict,
                    "better": better.iter().map(|b| json!({ "memory": b.memory, "wavefronts": b.wavefronts })).collect::<Vec<_>>(),
                },
                "global": {
                    "segment_bytes": chip.segment_bytes,
                    "segments": segments.count,
                    "ideal": segments.ideal,
                    "bytes": segments.bytes,
                },
            }),
        );
    }
    let hints: String = better.iter().map(|b| format!("  {} with --memory='{}'\n", b.wavefronts, b.memory)).collect();
    let text = format!(
        "{instructions} accesses of {} bytes by each lane of {n_subgroups} x {size} lanes on {}\n\
         shared memory, {} banks: {wavefronts}\n{hints}\
         global memory, segments of {} bytes: {}, {} if the same bytes were side by side\n",
        width * bytes,
        chip.name,
        banks.count,
        chip.segment_bytes,
        segments.count,
        segments.ideal,
    );
    if args.html {
        let page = page(args, &layout, &banks, width * bytes, accesses, text)?;
        return deliver(output, page.into_bytes());
    }
    deliver(output, text.into_bytes())
}

/// Another layout of memory.
struct Better {
    /// As CuTe writes it.
    memory: String,
    wavefronts: i64,
}

/// A swizzle and a padding for a row-major matrix, as far as there are some.
fn better(layout: &Layout, width: i64, bytes: i64, banks: &Banks) -> Vec<Better> {
    let &[rows, columns] = layout.shape() else { return Vec::new() };
    let [n_slots, n_lanes, n_subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware));
    let mut patterns = Vec::new();
    for subgroup in 0..n_subgroups {
        for slot in (0..n_slots).step_by(width as usize) {
            let first = |lane: i64| layout.coord(subgroup, lane, slot).map(|coord| (coord[0], coord[1]));
            patterns.push(Pattern { lanes: (0..n_lanes).map(first).collect(), width });
        }
    }
    let mut all = Vec::new();
    if let Some(swizzled) = swizzle::swizzle([rows, columns], bytes, &patterns, banks) {
        let memory = Layout::row_major(&[rows, columns]).and_then(|memory| memory.with_swizzle(&swizzled.map));
        let cute = memory.ok().and_then(|memory| Cute::from_layout(&memory, Order::RowMajor).ok());
        // Not each swizzle is one that CuTe can write.
        if let Some(Swizzle { bits, base, shift }) = cute.and_then(|cute| cute.swizzle()) {
            let memory = format!("Sw<{bits},{base},{shift}> o 0 o ({rows},{columns}):({columns},1)");
            all.push(Better { memory, wavefronts: swizzled.wavefronts.iter().sum() });
        }
    }
    let padded = swizzle::padding([rows, columns], bytes, &patterns, banks);
    let memory = format!("({rows},{columns}):({},1)", padded.pitch);
    all.push(Better { memory, wavefronts: padded.wavefronts.iter().sum() });
    all
}

/// Where in memory each place's element is.
struct Places {
    n_slots: i64,
    n_lanes: i64,
    /// In elements; subgroups, lanes, slots, row-major.
    offsets: Vec<Option<i64>>,
}

/// Each place's offset in row-major memory, or as a CuTe layout says.
fn offsets(layout: &Layout, memory: Option<&str>) -> Result<Places, Report> {
    let shape = layout.shape();
    let cute = match memory {
        None => None,
        Some(text) => {
            let cute: Cute = text.parse().map_err(|error| bad(format!("not a CuTe layout: {error}")))?;
            let elements: i64 = shape.iter().product();
            if cute.size() != elements {
                return Err(misfit(format!("the memory has {} elements, the value {elements}", cute.size())));
            }
            Some(cute)
        }
    };
    let [n_slots, n_lanes, n_subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware));
    let mut offsets = vec![None; (n_slots * n_lanes * n_subgroups) as usize];
    for owner in layout.owners() {
        let offset = match &cute {
            // CuTe numbers elements with the first dimension fastest.
            Some(cute) => cute.at(owner.coord.iter().zip(shape).rev().fold(0, |n, (c, extent)| n * extent + c)),
            None => owner.coord.iter().zip(shape).fold(0, |n, (c, extent)| n * extent + c),
        };
        if !(0..OFFSET_MAX).contains(&offset) {
            return Err(misfit(format!("element {:?} lies at offset {offset}, where no memory is", owner.coord)));
        }
        offsets[((owner.subgroup * n_lanes + owner.lane) * n_slots + owner.slot) as usize] = Some(offset);
    }
    Ok(Places { n_slots, n_lanes, offsets })
}

impl Places {
    /// How many slots, at most `most`, each lane can move at once.
    fn width(&self, most: i64) -> i64 {
        let fits = |width: i64| {
            self.n_slots % width == 0
                && self.offsets.chunks(width as usize).all(|run| match run[0] {
                    None => run.iter().all(Option::is_none),
                    Some(first) => {
                        let follows = |(index, offset): (usize, &Option<i64>)| *offset == Some(first + index as i64);
                        first % width == 0 && run.iter().enumerate().all(follows)
                    }
                })
        };
        let widths = (0..).map(|doubling| 1i64 << doubling).take_while(|&width| width <= most.max(1));
        widths.filter(|&width| fits(width)).last().unwrap_or(1)
    }

    /// The byte address of each lane's run from `slot` on.
    fn addresses(&self, subgroup: i64, slot: i64, bytes: i64) -> Vec<Option<i64>> {
        let place = |lane: i64| ((subgroup * self.n_lanes + lane) * self.n_slots + slot) as usize;
        (0..self.n_lanes).map(|lane| self.offsets[place(lane)].map(|offset| offset * bytes)).collect()
    }
}

fn page(
    args: &Args,
    layout: &Layout,
    banks: &Banks,
    bytes: i64,
    accesses: Vec<Vec<Option<i64>>>,
    text: String,
) -> Result<String, Report> {
    let view = View { title: args.layout.clone(), names: vec![], notes: vec![], tile: vec![], layout: layout.clone() };
    let title = "banks of shared memory, subgroup 0".to_owned();
    let panels = [
        Panel::Layout(view),
        Panel::Banks(BankView { title, bytes, banks: banks.clone(), accesses }),
        Panel::Text { title: "all subgroups".to_owned(), text },
    ];
    picture::html(&format!("{} on {}", args.ty, args.target), &panels).map_err(|error| too_large(error.to_string()))
}
