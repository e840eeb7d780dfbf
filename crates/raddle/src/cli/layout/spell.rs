//! The spellings of a layout on the command line.
//!
//! ```text
//! MFMA_F32_16x16x16_F16:a                           an operand of a matrix instruction, by id or IREE's name
//! #iree_vector_ext.nested_layout<…>                 nested
//! ((4,8),(2,2)):((32,1),(16,8))                     CuTe: (lanes, slots) to column-major element numbers
//! slot = [(0, 1)], lane = [(1, 0)] -> i 2 x j 2     linear: where each bit of a number moves
//! lane[n1 n2 m0 m1 m2] slot[n0 m3] -> m 16 x n 8    bits: what each bit of a number stands for
//! ```

use raddle::Report;
use raddle_ir::{Attr, Code, Diag, Ir, Scalar, Type};
use raddle_layout::cute::{Cute, Order};
use raddle_layout::linear::{Linear, LinearError};
use raddle_layout::{Digit, Hardware, Kind, Layout, Nested};
use raddle_target::Operand;
use raddle_target::catalogue::{self, Instruction, Map, Named};

use super::bad;

/// The machine and the value that a layout is for, as far as they are known.
#[derive(Clone, Copy, Default)]
pub struct Place<'a> {
    /// Lanes of a subgroup.
    pub lanes: Option<i64>,
    /// Subgroups of the workgroup.
    pub subgroups: Option<i64>,
    /// Extents of the value.
    pub shape: Option<&'a [i64]>,
}

/// A vector type.
pub struct Value {
    /// Its extents.
    pub shape: Vec<i64>,
    /// Bits of an element.
    pub bits: i64,
    /// Bytes of an element in memory.
    pub bytes: i64,
    /// As it was written.
    pub text: String,
}

/// The vector type that a text spells.
pub fn value(text: &str) -> Result<Value, Report> {
    let wrong = |why: &str| {
        let diag = Diag::nowhere(Code::BadInput, format!("`{text}` {why}")).help("write `--type=vector<16x32xf16>`");
        Report::nowhere(diag)
    };
    let mut ir = Ir::new();
    // As `raddle run --input` writes it.
    let short = text.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let full = if short { format!("vector<{}>", text.trim()) } else { text.to_owned() };
    let ty = raddle_ir::text::parse_type(&full, &mut ir).map_err(|diag| Report::new(vec![diag], "<type>", &full))?;
    let Type::Vector { shape, scalable, elem } = &ir[ty] else { return Err(wrong("is not a vector type")) };
    let total = shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent));
    match (Scalar::of(&ir[*elem]), total) {
        (Some(scalar), Some(_)) if !scalable.contains(&true) && shape.iter().all(|&extent| extent > 0) => {
            let (bits, bytes) = (i64::from(scalar.bits()), scalar.bytes() as i64);
            Ok(Value { shape: shape.clone(), bits, bytes, text: text.to_owned() })
        }
        _ => Err(wrong("has no fixed number of plain elements")),
    }
}

/// Which spelling a text uses.
pub enum Spelling<'a> {
    /// A matrix instruction, and an operand where one is named.
    Name(&'a str, Option<Operand>),
    Nested,
    Cute,
    Linear,
    Bits,
}

/// The spelling that a text seems to use.
pub fn spelling(text: &str) -> Spelling<'_> {
    let text = text.trim();
    if text.starts_with('(') || text.starts_with("Sw<") || text.starts_with("Swizzle<") {
        return Spelling::Cute;
    }
    if super::bits::is_spelled(text) {
        return Spelling::Bits;
    }
    if text.contains("->") {
        return Spelling::Linear;
    }
    if text.contains('<') || text.starts_with('#') {
        return Spelling::Nested;
    }
    let operand = |(name, operand): (&'_ str, &str)| Some((name.len(), Operand::from_name(operand)?));
    match text.rsplit_once(':').and_then(operand) {
        Some((end, operand)) => Spelling::Name(&text[..end], Some(operand)),
        None => Spelling::Name(text, None),
    }
}

/// The instruction of this name.
pub fn named(name: &str) -> Result<Named, Report> {
    catalogue::lookup(name).map_err(|unknown| {
        if let Some((known, operand)) = name.rsplit_once(':')
            && catalogue::lookup(known).is_ok()
        {
            let names: Vec<String> =
                Operand::ALL.iter().map(|operand| format!("`{known}:{}`", operand.name())).collect();
            let diag = Diag::nowhere(Code::UnknownName, format!("`{known}` has no operand `{operand}`"));
            return Report::nowhere(diag.help(format!("its operands are {}", names.join(", "))));
        }
        let diag = Diag::nowhere(Code::UnknownName, format!("there is no matrix instruction `{name}`"));
        let first = |row: &Instruction| row.aliases.first().map_or(row.id.clone(), |alias| alias.name.clone());
        let mut family = catalogue::matching(name);
        let help = match (family.next(), family.count()) {
            (None, _) => format!("did you mean `{}`?", unknown.nearest),
            (Some(only), 0) => format!("did you mean `{}`?", first(only)),
            (Some(one), more) => format!(
                "`raddle layout list {name}` lists the {} that this is a part of, such as `{}`",
                more + 1,
                first(one)
            ),
        };
        Report::nowhere(diag.help(help))
    })
}

/// The layout that a text spells, on the given machine, for the given value.
pub fn layout(text: &str, place: Place) -> Result<Layout, Report> {
    match spelling(text) {
        Spelling::Name(name, Some(operand)) => {
            let layout = operand_layout(named(name)?, operand, place)?;
            match place.shape {
                Some(shape) => repeat(&layout, shape),
                None => Ok(layout),
            }
        }
        Spelling::Name(name, None) => {
            named(name)?;
            let help = format!("name one: `{name}:a`, `{name}:b` or `{name}:c`");
            Err(Report::nowhere(Diag::nowhere(Code::BadInput, "an instruction has three operands").help(help)))
        }
        Spelling::Nested => {
            let (nested, order) = nested(text)?;
            if let Some(shape) = place.shape {
                nested.verify(shape).map_err(|error| super::misfit(error.to_string()))?;
            }
            let lanes = place.lanes.unwrap_or_else(|| nested.n_lanes());
            // Lanes beyond a subgroup go on in the next one.
            let needed = nested.n_subgroups().max((nested.n_lanes().saturating_add(lanes - 1)) / lanes);
            let subgroups = place.subgroups.unwrap_or(needed);
            let layout = Layout::from_nested_ordered(&nested, &order, subgroups, lanes);
            layout.map_err(|error| super::misfit(error.to_string()))
        }
        Spelling::Cute => {
            let cute: Cute = text.trim().parse().map_err(|error| bad(format!("not a CuTe layout: {error}")))?;
            let numbers = [cute.cosize()];
            let shape = place.shape.unwrap_or(&numbers);
            let layout = cute.to_layout(shape, Order::ColumnMajor);
            let layout = layout.map_err(|error| super::misfit(format!("not a layout of {shape:?}: {error}")))?;
            widen(&layout, place)
        }
        Spelling::Linear | Spelling::Bits => {
            let layout = match spelling(text) {
                Spelling::Bits => super::bits::read(text)?,
                _ => linear(text)?.to_layout().map_err(|error| super::misfit(error.to_string()))?,
            };
            if let Some(shape) = place.shape.filter(|&shape| shape != layout.shape()) {
                return Err(super::misfit(format!("the layout is for {:?}, the value is {shape:?}", layout.shape())));
            }
            widen(&layout, place)
        }
    }
}

/// The instruction as subgroups of this many lanes run it: some machines have it for 32 and for 64.
pub fn for_lanes(named: Named, lanes: Option<i64>) -> Named {
    let Named::Instruction(row) = named else { return named };
    let n_lanes = |row: &'static Instruction| row.map(Operand::C).ok().map(Map::n_lanes);
    if lanes.is_none() || n_lanes(row) == lanes {
        return named;
    }
    let counterpart = catalogue::instructions().iter().find(|other| {
        other.family == row.family
            && other.types == row.types
            && [other.m, other.n, other.k, other.blocks] == [row.m, row.n, row.k, row.blocks]
            && n_lanes(other) == lanes
    });
    counterpart.map_or(named, Named::Instruction)
}

/// An operand's layout as the hardware has it.
pub fn operand_layout(named: Named, operand: Operand, place: Place) -> Result<Layout, Report> {
    let map = for_lanes(named, place.lanes).map(operand).map_err(|error| bad(error.to_string()))?;
    widen(&map.layout(), place)
}

/// The layout on a machine with more lanes and subgroups: they hold the same.
fn widen(layout: &Layout, place: Place) -> Result<Layout, Report> {
    let mut digits = [Hardware::Slot, Hardware::Lane, Hardware::Subgroup, Hardware::Offset]
        .map(|hardware| layout.digits(hardware).to_vec());
    for (hardware, have) in [(Hardware::Lane, place.lanes), (Hardware::Subgroup, place.subgroups)] {
        let used = layout.count(hardware);
        let have = have.unwrap_or(used);
        if have % used != 0 {
            let name = hardware.name();
            return Err(super::misfit(format!(
                "the layout uses {used} {name}s, and {have} are not a multiple of that"
            )));
        }
        if have > used {
            digits[hardware as usize].push(Digit::still(have / used, layout.rank(), Kind::Replicate));
        }
    }
    let fail = |error: raddle_layout::LayoutError| super::misfit(error.to_string());
    let wide = Layout::of_digits(layout.shape().to_vec(), digits).map_err(fail)?;
    layout.swizzle().map_or(Ok(wide.clone()), |swizzle| wide.with_swizzle(swizzle).map_err(fail))
}

/// The extents of the operand that a text names; empty where it names none.
pub fn tile(text: &str) -> Vec<i64> {
    let Spelling::Name(name, Some(operand)) = spelling(text) else { return Vec::new() };
    let map = catalogue::lookup(name).ok().and_then(|named| named.map(operand).ok());
    map.map_or(Vec::new(), |map| map.shape)
}

/// The layout of a larger value: further slots, row-major over its tiles.
fn repeat(layout: &Layout, shape: &[i64]) -> Result<Layout, Report> {
    let tile = layout.shape();
    let fits = |(extent, tile): (&i64, &i64)| extent % tile == 0;
    if shape.len() != tile.len() || !shape.iter().zip(tile).all(fits) {
        return Err(super::misfit(format!("tiles of {tile:?} do not divide a value of {shape:?}")));
    }
    let mut digits = [Hardware::Slot, Hardware::Lane, Hardware::Subgroup, Hardware::Offset]
        .map(|hardware| layout.digits(hardware).to_vec());
    for d in (0..tile.len()).rev().filter(|&d| shape[d] > tile[d]) {
        digits[Hardware::Slot as usize].push(Digit::shard(shape[d] / tile[d], tile.len(), d, tile[d]));
    }
    Layout::of_digits(shape.to_vec(), digits).map_err(|error| super::misfit(error.to_string()))
}

/// What stands between a nested layout and the order of its slots.
const ORDER: &str = ", slots in the order ";

/// The nested layout that a text spells, and the order of its slots: the axes of the distributed shape, slowest first.
fn nested(text: &str) -> Result<(Nested, Vec<usize>), Report> {
    let text = text.trim();
    let (text, order) = match text.split_once(ORDER) {
        Some((text, order)) => (text, Some(order)),
        None => (text, None),
    };
    // The shell takes a `#` that stands alone for a comment, so that it is easily lost.
    let text = match text.strip_prefix('#').unwrap_or(text) {
        // As the pictures write it.
        short if short.starts_with("nested_layout<") => format!("#iree_vector_ext.{short}"),
        long => format!("#{long}"),
    };
    let mut ir = Ir::new();
    let attr = raddle_ir::parse_attr(&text, &mut ir).map_err(|diag| Report::new(vec![diag], "<argument>", &text))?;
    match &ir[attr] {
        Attr::Layout(nested) => Ok((Nested::clone(nested), slot_order(nested, order)?)),
        _ => Err(Report::nowhere(
            Diag::nowhere(Code::BadInput, "this attribute is not a layout")
                .help("a layout is written as `#iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [4, 1]>`"),
        )),
    }
}

/// `outer 1, outer 0, element 1`: every axis along which there are several slots, slowest first.
fn slot_order(nested: &Nested, text: Option<&str>) -> Result<Vec<usize>, Report> {
    let rank = nested.rank();
    let Some(text) = text else { return Ok((0..3 * rank).collect()) };
    let axis = |word: &str| {
        let (level, d) = word.trim().split_once(' ')?;
        let level = ["batch", "outer", "element"].iter().position(|name| *name == level)?;
        d.parse().ok().filter(|&d: &usize| d < rank).map(|d| level * rank + d)
    };
    let named: Option<Vec<usize>> = text.split(',').map(axis).collect();
    let named =
        named.ok_or_else(|| bad(format!("`{text}` does not list axes, as in `outer 1, outer 0, element 1`")))?;
    let still = (0..3 * rank).filter(|&axis| nested.distributed_shape()[axis] == 1 && !named.contains(&axis));
    let order: Vec<usize> = still.chain(named.iter().copied()).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..3 * rank) {
        return Err(bad(format!("`{text}` does not list each axis with several slots once")));
    }
    Ok(order)
}

/// `slot = [(0, 1), (8, 0)], lane = [(0, 2)] -> dim0 16 x dim1 8`
fn linear(text: &str) -> Result<Linear, Report> {
    text.parse().map_err(|error: LinearError| {
        let help = "a linear layout is written as `slot = [(0, 1)], lane = [(1, 0), (2, 0)] -> i 4 x j 2`";
        Report::nowhere(Diag::nowhere(Code::BadInput, format!("not a linear layout: {error}")).help(help))
    })
}
