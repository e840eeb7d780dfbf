//! Expand dims: split reduction loops as the `expand_dims` entry of a configuration says.
//!
//! Before: `linalg.generic {lowering_config = <{expand_dims = <[[0], [1], [2, 3]], output_shape = [?, ?, ?, 8]>, …}>}` with
//!         loops of 4, 6656 and 16384
//! After:  the same on operands that `tensor.expand_shape` gives two dimensions for one, with loops of 4, 6656, 2048 and 8
//!
//! The other entries of the configuration have one place for each of the new loops. The operands stay where they are:
//! `windows` reads an expanded operand in place.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Linalg;
use raddle_ir::{Attr, AttrId, Body, Builder, Code, Diag, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use crate::config::{Config, without_entries};
use crate::facts::Facts;
use crate::structured::generalize::{generic, make_generic};

const ENTRY: &str = "expand_dims";

/// Splits the loops of each operation whose configuration says so.
pub(crate) fn expand(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    for op in ir.walk(func) {
        let entry = ir.attr_id(op, "lowering_config").and_then(|config| ir.field(config, ENTRY));
        if let Some(entry) = entry.filter(|_| Linalg::try_of(ir, op).is_some()) {
            split(ir, op, entry, facts)?;
        }
    }
    Ok(())
}

/// The new loops of each old one, and the extents that are stated.
struct Expansion {
    groups: Vec<Vec<usize>>,
    /// `None` for `?`.
    shape: Vec<Option<i64>>,
}

impl Expansion {
    /// Reads `#iree_gpu.expand_dims<[[0], [1], [2, 3]], output_shape = [?, ?, ?, 8]>`.
    fn read(ir: &Ir, attr: AttrId) -> Option<Expansion> {
        let Attr::Dialect { name, body: Body::Fields(fields) } = &ir[attr] else { return None };
        let list = |attr: AttrId| if let Attr::Array(items) = &ir[attr] { Some(items.as_slice()) } else { None };
        let [groups, shape] = fields[..] else { return None };
        if ir[*name] != *"iree_gpu.expand_dims" || ir[shape.0] != *"output_shape" {
            return None;
        }
        let group = |&group: &AttrId| ir.ints(group)?.into_iter().map(|d| usize::try_from(d).ok()).collect();
        let groups: Vec<Vec<usize>> = list(groups.1)?.iter().map(group).collect::<Option<_>>()?;
        let extent = |&extent: &AttrId| match ir[extent].as_i64() {
            Some(extent) => (extent > 0).then_some(Some(extent)),
            // Everything but numbers is `?` here.
            None => Some(None),
        };
        let shape: Vec<Option<i64>> = list(shape.1)?.iter().map(extent).collect::<Option<_>>()?;
        let in_order = groups.concat().into_iter().eq(0..shape.len());
        in_order.then_some(Expansion { groups, shape })
    }

    /// The extents of the new loops of one old loop, if they multiply to its own.
    fn extents(&self, d: usize, extent: i64) -> Option<Vec<i64>> {
        let stated: Vec<Option<i64>> = self.groups[d].iter().map(|&new| self.shape[new]).collect();
        let known = stated.iter().flatten().try_fold(1i64, |product, &n| product.checked_mul(n))?;
        let open = stated.iter().filter(|extent| extent.is_none()).count();
        let fits = if open == 0 { known == extent } else { extent >= 1 && extent % known == 0 };
        (fits && open <= 1).then(|| stated.iter().map(|n| n.unwrap_or(extent / known)).collect())
    }
}

fn split(ir: &mut Ir, op: OpId, entry: AttrId, facts: &Facts) -> Result<(), Diag> {
    let refuse = |ir: &Ir, what: String| Diag::error(Code::CannotConfigure, ir.span(op), what);
    let linalg = Linalg::of(ir, op);
    let n_loops = linalg.reduction.len();
    let Some(expansion) = Expansion::read(ir, entry).filter(|found| found.groups.len() == n_loops) else {
        let message = format!("`{ENTRY}` does not name new loops for each of the {n_loops} loops, in order");
        return Err(refuse(ir, message)
            .help("it looks like `#iree_gpu.expand_dims<[[0], [1], [2, 3]], output_shape = [?, ?, ?, 8]>`"));
    };
    let extents = linalg.extents(ir);
    let mut news: Vec<Vec<i64>> = Vec::new();
    for d in 0..n_loops {
        let found = match expansion.groups[d].len() {
            1 => Some(vec![extents[d]]),
            _ if !linalg.reduction[d] => {
                return Err(refuse(ir, format!("`{ENTRY}` splits loop {d}, which is not a reduction")));
            }
            _ => expansion.extents(d, extents[d]),
        };
        let Some(found) = found else {
            let extent = if extents[d] < 0 { "an extent that is not known".to_owned() } else { extents[d].to_string() };
            let message = format!("`{ENTRY}` cannot split loop {d} of {extent} into the extents that it states");
            return Err(
                refuse(ir, message).help("let `output_shape` have at most one `?` there, and divisors of the extent")
            );
        };
        news.push(found);
    }
    let plain = linalg.maps.iter().all(|map| map.as_dims().is_some());
    if !plain {
        return Err(refuse(ir, format!("`{ENTRY}` needs operands that are read along loops alone")));
    }
    for (d, new) in news.iter().enumerate().filter(|(_, new)| new.len() > 1) {
        let numbers = |list: Vec<String>| list.join(" and ");
        facts.remark(refuse(
            ir,
            format!(
                "loop {d} of {} becomes loops {} of {}: `{ENTRY}`",
                extents[d],
                numbers(expansion.groups[d].iter().map(usize::to_string).collect()),
                numbers(new.iter().map(i64::to_string).collect())
            ),
        ));
    }
    let op = make_generic(ir, op).unwrap_or(op);
    let op = rewrite(ir, op, &expansion, &news);
    let config = Config::read(ir, op)?;
    for (group, extents) in expansion.groups.iter().zip(&news).filter(|(_, extents)| extents.len() > 1) {
        say_steps(ir, op, &config, group, extents, facts);
    }
    Ok(())
}

/// Says how the loops that one loop became are gone through.
fn say_steps(ir: &Ir, op: OpId, config: &Config, group: &[usize], extents: &[i64], facts: &Facts) {
    let at = |list: &[i64], d: usize| list.get(d).copied().unwrap_or(0);
    let step = |d: usize| at(&config.partial_reduction, d).max(at(&config.reduction, d));
    let steps: Vec<i64> =
        group.iter().zip(extents).map(|(&d, &extent)| if step(d) == 0 { extent } else { step(d) }).collect();
    let times = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ");
    let product = |list: &[i64]| list.iter().fold(1i64, |product, &n| product.saturating_mul(n.max(1)));
    let counts: Vec<i64> = extents.iter().zip(&steps).map(|(extent, step)| (extent - 1) / step + 1).collect();
    let lanes: Vec<i64> = group.iter().map(|&d| at(&config.lane, d)).collect();
    let elements: Vec<i64> = group.iter().map(|&d| at(&config.thread, d).max(1)).collect();
    let message = format!(
        "{} steps of {} = {} elements of the loop as written; {} lanes share a step, and each takes {} elements at a time",
        product(&counts),
        times(&steps),
        product(&steps),
        product(&lanes),
        times(&elements)
    );
    facts.remark(Diag::error(Code::CannotConfigure, ir.span(op), message));
}

/// Makes the operation one with the new loops, which it returns.
fn rewrite(ir: &mut Ir, op: OpId, expansion: &Expansion, news: &[Vec<i64>]) -> OpId {
    let linalg = Linalg::of(ir, op);
    let n_new = expansion.shape.len();
    let mut builder = Builder::before(ir, op);
    let operands: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    let (mut values, mut maps) = (Vec::new(), Vec::new());
    for (&value, map) in operands.iter().zip(&linalg.maps) {
        let dims = map.as_dims().expect("the caller has looked");
        values.push(expanded(&mut builder, value, &dims, news));
        let dims: Vec<usize> = dims.iter().flat_map(|&d| expansion.groups[d].clone()).collect();
        maps.push(Map::of_dims(n_new, &dims));
    }
    let reduction = expansion.groups.iter().zip(&linalg.reduction);
    let new = Linalg {
        outputs: values.split_off(linalg.inputs.len()),
        inputs: values,
        maps,
        reduction: reduction.flat_map(|(group, &reduces)| vec![reduces; group.len()]).collect(),
    };
    let config = builder.ir.attr_id(op, "lowering_config").expect("it has the entry");
    let config = without_entries(builder.ir, config, &[ENTRY]);
    let new = generic(&mut builder, &new, &[("lowering_config", config)]);
    builder.copy_regions(op, new, &mut ValueMap::default());
    for inner in ir.walk(new) {
        count(ir, inner, expansion, news);
    }
    for (old, new) in ir.results(op).zip(ir.results(new)) {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
    new
}

/// An operand with several dimensions for one.
pub(crate) fn expanded(builder: &mut Builder<'_>, value: ValueId, dims: &[usize], news: &[Vec<i64>]) -> ValueId {
    if dims.iter().all(|&d| news[d].len() == 1) {
        return value;
    }
    let elem = builder.ir.elem_of(value);
    let shape: Vec<i64> = dims.iter().flat_map(|&d| news[d].clone()).collect();
    let groups: Vec<i64> = dims.iter().map(|&d| news[d].len() as i64).collect();
    let ty = builder.ir.tensor_type(&shape, elem);
    let attrs =
        [("reassociation", builder.ir.reassociation(&groups)), ("static_output_shape", builder.ir.dense_i64(&shape))];
    builder.value(Opcode::TensorExpandShape, &[value], ty, &attrs)
}

/// The number of an old iteration is put together from those of the new ones.
fn count(ir: &mut Ir, op: OpId, expansion: &Expansion, news: &[Vec<i64>]) {
    if ir.opcode(op) != Opcode::LinalgIndex {
        return;
    }
    let dim = ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok());
    let Some(dim) = dim.filter(|&dim| dim < news.len()) else { return };
    let mut builder = Builder::before(ir, op);
    let mut digits = Vec::new();
    for &new in &expansion.groups[dim] {
        let (ty, number) = (builder.ir.index_type(), builder.ir.i64_attr(new as i64));
        digits.push(builder.value(Opcode::LinalgIndex, &[], ty, &[("dim", number)]));
    }
    let sum = news[dim].iter().enumerate().fold(Expr::Const(0), |sum, (i, &extent)| {
        let scaled = Expr::binary(BinOp::Mul, sum, Expr::Const(extent));
        Expr::binary(BinOp::Add, scaled, Expr::Dim(i as u32))
    });
    let whole = builder.apply(Map { dims: digits.len() as u32, syms: 0, results: vec![sum] }, &digits);
    let old = ir.result(op, 0);
    ir.replace_uses(old, whole);
    ir.erase(op);
}
