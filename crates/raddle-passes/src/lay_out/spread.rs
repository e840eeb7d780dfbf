//! Spread: layouts go from value to value in rounds, so that the order of the operations does not matter.
//!
//! In each round, every value that has got its layout in the round before offers one to its neighbours. A value that
//! has several offers takes one from an operand rather than one from a user, the first operand's rather than another's,
//! then what most of them say, then the layout that comes first by its numbers. Who is nearer to an anchor has spoken
//! in an earlier round.

use raddle_ir::{Class, Def, Ir, ValueId};
use raddle_layout::sort::sort_by_key;

use super::anchor::anchor;
use super::flow;
use super::layouts::{LayoutId, Layouts};
use super::rules::{forward, needs, wishes};

/// Which way layouts go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ways {
    /// From operands to results.
    Forward,
    /// From results to operands too.
    Both,
}

/// One neighbour's word about a value.
pub struct Offer {
    pub to: ValueId,
    /// The operand that speaks; users come after all operands.
    pub rank: usize,
    pub layout: LayoutId,
}

/// The rank of a user among those that speak.
pub const USER: usize = usize::MAX;

/// Spreads the fresh layouts until nothing changes.
pub fn spread(ir: &Ir, ways: Ways, layouts: &mut Layouts) {
    while !layouts.fresh.is_empty() {
        let mut offers = Vec::new();
        for value in std::mem::take(&mut layouts.fresh) {
            onward(ir, value, layouts, &mut offers);
            if ways == Ways::Both {
                backward(ir, value, layouts, &mut offers);
            }
        }
        take(ir, offers, layouts);
    }
}

/// Gives each vector that has no layout yet the best of its offers.
pub fn take(ir: &Ir, mut offers: Vec<Offer>, layouts: &mut Layouts) {
    offers.retain(|offer| ir.ty(offer.to).is_vector() && layouts.id(offer.to).is_none());
    sort_by_key(&mut offers, |offer| (offer.to, offer.rank, offer.layout));
    for offers in offers.chunk_by(|a, b| a.to == b.to) {
        let id = choose(offers, layouts);
        layouts.offer(ir, offers[0].to, id);
    }
}

/// The offer that a value takes, out of its own, sorted.
fn choose(offers: &[Offer], layouts: &Layouts) -> LayoutId {
    let first = offers.iter().take_while(|offer| offer.rank == offers[0].rank).count();
    let votes = offers[..first].chunk_by(|a, b| a.layout == b.layout);
    let best = votes.max_by(|a, b| {
        let numbers = |offers: &[Offer]| layouts.layout(offers[0].layout);
        a.len().cmp(&b.len()).then_with(|| numbers(b).cmp(numbers(a)))
    });
    best.expect("somebody spoke")[0].layout
}

/// What a loop carries has one name here: that of its result.
fn name(ir: &Ir, value: ValueId) -> ValueId {
    match ir.def(value) {
        Def::Arg { .. } => flow::counterpart(ir, value).unwrap_or(value),
        Def::Result { .. } => value,
    }
}

/// What a value's layout means for what is made from it.
fn onward(ir: &Ir, value: ValueId, layouts: &mut Layouts, offers: &mut Vec<Offer>) {
    let id = layouts.id(value).expect("only values with a layout are spread");
    for (op, operand) in ir.uses(value) {
        for to in flow::targets(ir, op, operand) {
            offers.push(Offer { to: name(ir, to), rank: operand, layout: id });
        }
        if ir.class(op) == Class::Elementwise {
            let vectors = ir.results(op).filter(|&result| ir.ty(result).is_vector());
            offers.extend(vectors.map(|to| Offer { to, rank: operand, layout: id }));
            continue;
        }
        let layout = layouts.layout(id).clone();
        for (to, layout) in forward(ir, op, operand, &layout, layouts) {
            let layout = layouts.intern(layout);
            offers.push(Offer { to: name(ir, to), rank: operand, layout });
        }
    }
}

/// What a value's layout means for what it is made from.
fn backward(ir: &Ir, value: ValueId, layouts: &mut Layouts, offers: &mut Vec<Offer>) {
    let id = layouts.id(value).expect("only values with a layout are spread");
    for (op, operand) in flow::sources(ir, value) {
        offers.push(Offer { to: name(ir, ir.operand(op, operand)), rank: USER, layout: id });
    }
    let Def::Result { op, .. } = ir.def(value) else { return };
    if ir.class(op) == Class::Elementwise {
        let vectors = ir.operands(op).iter().copied().filter(|&operand| ir.ty(operand).is_vector());
        offers.extend(vectors.map(|to| Offer { to: name(ir, to), rank: USER, layout: id }));
        return;
    }
    if anchor(ir, op).is_some() {
        offers.push(Offer { to: name(ir, ir.operand(op, 0)), rank: USER, layout: id });
    }
    for (operand, layout) in needs(ir, op, layouts).into_iter().chain(wishes(ir, op, layouts)) {
        let layout = layouts.intern(layout);
        offers.push(Offer { to: name(ir, ir.operand(op, operand)), rank: USER, layout });
    }
}

/// How far each value is from the start of the program, along what it is made from: numbers that do not depend on the
/// order of operations that do not depend on one another.
pub fn depths(ir: &Ir, ops: &[raddle_ir::OpId]) -> Vec<u32> {
    let mut depths = vec![0; ir.n_values()];
    for &op in ops {
        let from = |values: &[ValueId], depths: &[u32]| values.iter().map(|v| depths[v.index()]).max().unwrap_or(0);
        let inside = ir.parent_op(op).map_or(0, |parent| from(ir.operands(parent), &depths));
        let depth = 1 + from(ir.operands(op), &depths).max(inside);
        for result in ir.results(op) {
            depths[result.index()] = depth;
        }
        for &region in ir.regions(op) {
            for &block in ir.blocks(region) {
                for &arg in ir.args(block) {
                    depths[arg.index()] = depth;
                }
            }
        }
    }
    depths
}
