//! Few rows: products that are as fast as memory gives their larger factor, as those of a step of decoding.
//!
//! Before: 8 x (32 x 128) by 11008 x (32 x 128), of weights that are computed of bytes and of scales of groups of 128
//! After:  `workgroup = [8, 32, 0, 0], partial_reduction = [0, 0, 8, 0], reduction = [0, 0, 0, 128], thread = [0, 0, 0, 16],
//!          subgroup_basis = [[1, 1, 8, 1], …]`, with the weights as rows of the matrix instruction
//!
//! A processor must have so many bytes under way that memory never waits for it. So subgroups, which multiply by matrix
//! instructions, share the sums as well, each with groups of its own; a lane reads 128 bits of the larger factor at a time,
//! and has of both factors what lies side by side there ([`super::factors::side_by_side`]). Nothing goes through shared
//! memory but the sums, at the end, and no subgroup waits for another one before.
//!
//! A sum along one loop gets another one around it, of groups, if there are rows enough: `partition` does that.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Ir, Map, OpId, Opcode, ValueId};
use raddle_target::Mma;

use super::group::{AROUND_PRODUCT_MAX, Group};
use super::limits::bytes_under_way;
use super::products::bytes;
use super::{Config, LONG, check, instruction, lengths, power_of_two};
use crate::facts::Facts;
use crate::structured::body;

/// Columns of matrix instructions that are few.
const COLUMNS_MAX: i64 = 16;
/// Bytes of the widest access.
const ACCESS_BYTES: i64 = 16;
/// Bytes of the larger factor that a lane reads in a step, about, with these rows; each column has as many of them as
/// registers have room for.
const LANE_BYTES: i64 = 64;
/// Rows of a tile: more of them share what is read of the smaller factor, if no processor has many more than others then.
const ROWS: [i64; 2] = [32, 16];
/// Subgroups that share a sum, at most: where a processor has one workgroup, and where another one goes on while they add up.
const SHARING_MAX: [i64; 2] = [16, 8];
/// Bytes of a group, of those that nobody else makes.
const GROUP_BYTES: i64 = 128;

/// The configuration of a product that nobody configures, if its rows are few, and its sums have two loops. Its larger factor
/// is the first one then.
pub(super) fn choose(ir: &mut Ir, root: OpId, group: Option<&Group>, facts: &Facts) -> Option<Config> {
    let linalg = Linalg::of(ir, root);
    let extents = lengths(ir, &linalg);
    let found = FewRows::of(ir, root, &linalg, &extents, facts)?;
    let config = found.config(ir, &linalg, group, &extents, facts)?;
    if found.is_second {
        swap_factors(ir, root);
    }
    let checked = check(ir, root, config, None, facts);
    let checked = checked.ok().filter(|checked| group.is_none_or(|group| group.check(ir, checked, facts).is_ok()));
    if found.is_second && checked.is_none() {
        swap_factors(ir, root);
    }
    checked.map(|checked| checked.config)
}

/// The loop of a product of few rows that its sums go along, and the groups that subgroups may share.
pub fn groups_of_few_rows(ir: &Ir, op: OpId, facts: &Facts) -> Option<(usize, [i64; 2])> {
    let linalg = Linalg::try_of(ir, op)?;
    FewRows::of(ir, op, &linalg, &lengths(ir, &linalg), facts)?.divided
}

/// Whether subgroups may share the sums of a product of few rows by groups of so many, of numbers that are read together.
pub fn takes_groups_of(ir: &Ir, op: OpId, [groups, k, inner]: [i64; 3], facts: &Facts) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op) else { return false };
    let found = Rows::of(ir, op, &linalg, &lengths(ir, &linalg), facts);
    found.is_some_and(|found| found.sums.len() == 1 && groups > 1 && k % found.mma.k == 0 && inner_fits(inner))
}

/// A product of few rows.
struct FewRows {
    /// The loops along the rows of the larger factor, along those of the smaller one, and of the sums: groups, and in these.
    loops: [usize; 4],
    /// One more inside of these, of numbers that are read together.
    inner: Option<usize>,
    /// The one loop that the sums have yet, and how many groups of how many there are.
    divided: Option<(usize, [i64; 2])>,
    /// Whether the larger factor is the second one.
    is_second: bool,
    mma: &'static Mma,
}

impl FewRows {
    /// The product, if it is one of these.
    fn of(ir: &Ir, op: OpId, linalg: &Linalg, extents: &[i64], facts: &Facts) -> Option<FewRows> {
        let Rows { many, few, sums, is_second, mma } = Rows::of(ir, op, linalg, extents, facts)?;
        let found = |loops, inner, divided| FewRows { loops, inner, divided, is_second, mma };
        match sums[..] {
            [groups, k] => Some(found([many, few, groups, k], None, None)),
            [groups, k, inner] if inner_fits(extents[inner]) && extents[groups] > 1 => {
                Some(found([many, few, groups, k], Some(inner), None))
            }
            [k] => {
                let of_group = power_of_two(extents[k], GROUP_BYTES / bytes(ir, linalg.inputs[0]));
                // Of fewer rows, other tiles have more workgroups.
                let processors = i64::from(facts.chip.processors?.count);
                let is_large = extents[many] / mma.m >= processors && extents[k] >= 4 * of_group;
                let place = |d: usize| if d > k { d + 1 } else { d };
                let loops = [place(many), place(few), k, k + 1];
                let fits = of_group >= 2 * mma.k && is_large && is_unpacked(ir, linalg.inputs[usize::from(is_second)]);
                fits.then(|| found(loops, None, Some((k, [extents[k] / of_group, of_group]))))
            }
            _ => None,
        }
    }
}

/// Whether a factor is computed of narrower elements. One that lies in memory as it is goes through rings, whose copies are
/// always under way; subgroups that share sums ask for the next step when all of a step has come, so that half as much is,
/// on average. On an H200, 8 x 4096 x 4096 of f16 takes 11 microseconds through rings, and 17 if subgroups share its sums.
fn is_unpacked(ir: &Ir, factor: ValueId) -> bool {
    let (mut at, width) = (factor, bytes(ir, factor));
    while let Some(op) = ir.def_op(at) {
        match Linalg::try_of(ir, op) {
            Some(made) if made.inputs.iter().any(|&input| bytes(ir, input) < width) => return true,
            Some(made) if made.inputs.len() == 1 => at = made.inputs[0],
            Some(_) => return false,
            None if matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape) => {
                at = ir.operand(op, 0);
            }
            None => return false,
        }
    }
    false
}

/// The loops of a product of few rows, both of whose factors lie along the sums.
struct Rows {
    /// Along the rows of the larger factor, and of the smaller one.
    many: usize,
    few: usize,
    /// Of the sums.
    sums: Vec<usize>,
    /// Whether the larger factor is the second one.
    is_second: bool,
    mma: &'static Mma,
}

impl Rows {
    fn of(ir: &Ir, op: OpId, linalg: &Linalg, extents: &[i64], facts: &Facts) -> Option<Rows> {
        if !body::is_contraction(ir, op) || facts.chip.processors.is_none() {
            return None;
        }
        let loops = body::contraction_loops(&linalg.maps)?;
        let (&[m], &[n]) = (&loops.m[..], &loops.n[..]) else { return None };
        let (k, inner) = match loops.k[..] {
            [_, k, inner] => (k, Some(inner)),
            [.., k] => (k, None),
            [] => return None,
        };
        let steps = extents[k].saturating_mul(inner.map_or(1, |d| extents[d]));
        let is_second = extents[n] > extents[m];
        let (many, few) = if is_second { (n, m) } else { (m, n) };
        let mma = instruction(ir, linalg, [extents[m], extents[n], steps], facts)?;
        let dims = linalg.maps.iter().map(|map| map.as_dims()).collect::<Option<Vec<_>>>()?;
        // Rows of both factors go along the sums.
        let lie = dims[..2].iter().all(|dims| dims.ends_with(&loops.k));
        let fits = mma.opcode == Opcode::NvgpuMmaSync
            && mma.types[0] == mma.types[1]
            && (2..=COLUMNS_MAX).contains(&extents[few])
            && extents[k] % mma.k == 0
            && loops.k.iter().all(|&d| extents[d] != LONG);
        (lie && fits).then_some(Rows { many, few, sums: loops.k, is_second, mma })
    }
}

impl FewRows {
    /// The configuration of the product, with its larger factor as the first one; `None` where its sums have one loop.
    fn config(
        &self,
        ir: &Ir,
        linalg: &Linalg,
        group: Option<&Group>,
        extents: &[i64],
        facts: &Facts,
    ) -> Option<Config> {
        let [m, n, groups, k] = self.loops;
        if self.divided.is_some() {
            return None;
        }
        let mma = self.mma;
        let elem = read_bytes(ir, linalg, usize::from(self.is_second), self.inner, group);
        let lanes = mma.fragments[0].thread[1];
        let run = power_of_two(extents[k] / lanes, (ACCESS_BYTES / elem).max(mma.k / lanes));
        // A step has what a lane reads at once, of one group or of several.
        let step = run * lanes * power_of_two(extents[k] / (run * lanes), (LANE_BYTES / (2 * run * elem)).max(1));
        let processors = facts.chip.processors?;
        let wanted = bytes_under_way(processors);
        let subgroup = i64::from(mma.subgroup_size);
        let of_inner = self.inner.map_or(1, |d| extents[d]);
        let at_once = |rows: i64| {
            let held = subgroup * AROUND_PRODUCT_MAX / (rows * step * of_inner);
            power_below((LANE_BYTES * subgroup / (mma.m * step * elem)).min(held).min(extents[groups] / 4))
        };
        let tiles = |rows: i64| (extents[m] - 1) / rows + 1;
        let most = |rows: i64| {
            let most = SHARING_MAX[usize::from(tiles(rows) > i64::from(processors.count))];
            power_below((extents[groups] - 1) / at_once(rows)).min(most)
        };
        let under_way = |rows: i64| tiles(rows).saturating_mul(rows * step * at_once(rows) * elem);
        // Rows of the processor with the most tiles.
        let busiest = |rows: i64| ((tiles(rows) - 1) / i64::from(processors.count) + 1) * rows;
        let [more, fewer] = ROWS;
        let at_most = |rows: i64| wanted.min(under_way(rows).saturating_mul(most(rows)));
        // What is read less often is worth a little less under way, and processors that have a little more to do.
        let are_busy = 10 * tiles(more) >= 9 * i64::from(processors.count) && 5 * busiest(more) <= 6 * busiest(fewer);
        let is_enough = are_busy && 8 * at_most(more) >= 7 * at_most(fewer);
        let rows = if is_enough { more } else { fewer };
        let sharing = ((wanted - 1) / under_way(rows) + 1) as u64;
        let sharing = (sharing.next_power_of_two() as i64).min(most(rows));
        let rank = extents.len();
        let mut config =
            Config { mma: Some(mma), workgroup: vec![0; rank], reduction: vec![0; rank], ..Config::default() };
        (config.partial_reduction, config.subgroup, config.thread) = (vec![0; rank], vec![1; rank], vec![0; rank]);
        config.workgroup[m] = rows;
        config.workgroup[n] = (extents[n] - 1) / mma.n * mma.n + mma.n;
        (config.reduction[k], config.thread[k]) = (step, run);
        if let Some(inner) = self.inner {
            config.thread[inner] = extents[inner];
        }
        (config.partial_reduction[groups], config.subgroup[groups]) = (sharing * at_once(rows), sharing);
        // Two loops of sums are for these alone.
        (sharing > 1 || self.inner.is_some()).then_some(config)
    }
}

/// Lets the second factor of a product be the first one.
fn swap_factors(ir: &mut Ir, op: OpId) {
    let [lhs, rhs] = [0, 1].map(|i| ir.operand(op, i));
    let mut maps = Linalg::of(ir, op).maps;
    maps.swap(0, 1);
    let maps = maps.into_iter().map(|map| ir.intern(Attr::Map(map))).collect();
    let maps = ir.intern(Attr::Array(maps));
    ir.set_attr(op, "indexing_maps", maps);
    ir.set_operand(op, 0, rhs);
    ir.set_operand(op, 1, lhs);
}

/// Bytes of an element of what the kernel reads for a factor: of the widest tensor from outside that has as many.
/// What is `inner` comes out of it.
fn read_bytes(ir: &Ir, linalg: &Linalg, factor: usize, inner: Option<usize>, group: Option<&Group>) -> i64 {
    let dims = |map: &Map| map.as_dims().unwrap_or_default();
    let Some(group) = group else { return bytes(ir, linalg.inputs[factor]) };
    let root = &group.members[group.root].dims;
    let own = dims(&linalg.maps[factor]).into_iter().filter(|&d| inner != Some(d));
    let own: Vec<usize> = own.map(|d| root[d]).collect();
    let made: Vec<ValueId> = group.members.iter().flat_map(|member| ir.results(member.op)).collect();
    let mut widest = 1;
    for member in &group.members {
        for (&value, map) in member.linalg.inputs.iter().zip(&member.linalg.maps) {
            let along: Vec<usize> = dims(map).into_iter().map(|d| member.dims[d]).collect();
            if !made.contains(&value) && own.iter().all(|dim| along.contains(dim)) {
                widest = widest.max(bytes(ir, value));
            }
        }
    }
    widest
}

/// Whether so many numbers may be read together.
fn inner_fits(n: i64) -> bool {
    matches!(n, 2 | 4)
}

/// The largest power of two that is at most `n`, and one at least.
fn power_below(n: i64) -> i64 {
    1 << n.max(1).ilog2()
}
