//! Several products in a contraction, each of factors of its own, that matrix instructions of several blocks compute side by
//! side, or different subgroups by instructions of one. A contraction becomes such if it names the instruction, and has one
//! loop that both factors and the result have: it counts the products.
//!
//! `D[b, m, n] = Σ A[b, m, k] · B[b, k, n] + C[b, m, n]`, each operand with its dimensions in any order. What a lane has of
//! several instructions along k may lie side by side: see [`side_by_side`].

use raddle_ir::views::Contract;
use raddle_ir::{Ir, Map, OpId, Scalar};
use raddle_layout::Nested;
use raddle_target::{Chip, Mma, mma};

use super::mask_of;
use crate::config::Launch;
use crate::configure::factors::{SUMMED, side_by_side};
use crate::configure::power_of_two;

/// A contraction of several products that an instruction computes.
pub struct Product {
    /// The instruction.
    pub mma: &'static Mma,
    /// For A, B and C, where they have the block, the row and the column of a fragment.
    pub places: [[usize; 3]; 3],
}

/// Where A, B and C have their blocks, rows and columns.
fn places(maps: &[Map]) -> Option<[[usize; 3]; 3]> {
    let dims = [maps[0].as_dims()?, maps[1].as_dims()?, maps[2].as_dims()?];
    if maps[0].dims != 4 || dims.iter().any(|dims| dims.len() != 3) {
        return None;
    }
    let with = |who: [bool; 3]| (0..4).find(|d| [0, 1, 2].map(|i| dims[i].contains(d)) == who);
    let [b, m, n, k] =
        [with([true; 3])?, with([true, false, true])?, with([false, true, true])?, with([true, true, false])?];
    let at = |i: usize, loops: [usize; 3]| {
        loops.map(|d| dims[i].iter().position(|&other| other == d).expect("the loop is in this operand"))
    };
    Some([at(0, [b, m, k]), at(1, [b, k, n]), at(2, [b, m, n])])
}

impl Product {
    /// A contraction with the loops and types of an instruction.
    pub fn of(ir: &Ir, view: &Contract, mma: &'static Mma) -> Option<Product> {
        let types = [view.lhs, view.rhs, view.acc].map(|value| Scalar::of(&ir[ir.elem_of(value)]));
        let places = places(&view.maps)?;
        (mma.types.map(Some) == types).then_some(Product { mma, places })
    }

    /// The layouts that the factors have where nobody says others: subgroups share rows, then columns.
    pub fn factors(&self, ir: &Ir, view: &Contract, launch: Launch) -> Option<[Nested; 2]> {
        let blocks = self.mma.blocks.map_or(1, |blocks| blocks.n);
        let extents = |i: usize| self.places[i].map(|at| ir.shape_of([view.lhs, view.rhs][i])[at]);
        let ([b, m, k], [_, _, n]) = (extents(0), extents(1));
        let divides = b % blocks == 0 && m % self.mma.m == 0 && n % self.mma.n == 0 && k % self.mma.k == 0;
        if !divides || i64::from(self.mma.subgroup_size) != launch.subgroup_size {
            return None;
        }
        let subgroups = launch.workgroup_size / launch.subgroup_size;
        let rows = power_of_two(m / self.mma.m, subgroups);
        let columns = power_of_two(n / self.mma.n, subgroups / rows);
        let (b, k) = (b / blocks, k / self.mma.k);
        let lhs = self.mma.nested_blocks(0, [b, m / (self.mma.m * rows), k], [1, rows, 1], [0, columns, 0])?;
        let rhs = self.mma.nested_blocks(1, [b, k, n / (self.mma.n * columns)], [1, 1, columns], [0, 0, 1])?;
        Some([self.as_it_lies(0, &lhs), self.as_it_lies(1, &rhs)])
    }

    /// The layout of a factor along blocks, rows and columns whose batches are instructions; and of how many along k a lane
    /// has its elements side by side, if it has. `None` where it is not the instruction's.
    pub fn single(&self, operand: usize, layout: &Nested) -> Option<(Nested, Option<i64>)> {
        let layout = (layout.rank() == 3).then(|| layout.permute(&self.places[operand]))?;
        let (one, k) = (self.mma.nested_blocks(operand, [1; 3], [1; 3], [0; 3])?, SUMMED[operand]);
        let n = layout.element_tile[k] / (one.element_tile[k] * one.outer_tile[k]);
        let mut single = layout.clone();
        single.batch_tile[k] *= n.max(1);
        (single.outer_tile[k], single.element_tile[k]) = (one.outer_tile[k], one.element_tile[k]);
        let is_own = single.outer_tile == one.outer_tile
            && single.thread_tile == one.thread_tile
            && single.element_tile == one.element_tile
            && (0..3).all(|d| one.thread_tile[d] == 1 || single.thread_strides[d] == one.thread_strides[d]);
        match side_by_side(&single, k, n) {
            _ if !is_own => None,
            _ if single == layout => Some((single, None)),
            wide => (wide? == layout).then_some((single, Some(n))),
        }
    }

    /// The layout of the sums of factors in these layouts, if these are the instruction's.
    pub fn result(&self, lhs: &Nested, rhs: &Nested) -> Option<Nested> {
        let [(lhs, n), (rhs, n_of_rhs)] = [self.single(0, lhs)?, self.single(1, rhs)?];
        if n != n_of_rhs {
            return None;
        }
        let of = |a: &[i64], b: &[i64]| [a[0], a[1], b[2]];
        let is_shared = |lhs: &[i64], rhs: &[i64]| lhs[0] == rhs[0] && lhs[2] == rhs[1];
        let meet = is_shared(&lhs.batch_tile, &rhs.batch_tile) && is_shared(&lhs.subgroup_tile, &rhs.subgroup_tile);
        let sums = self.mma.nested_blocks(
            2,
            of(&lhs.batch_tile, &rhs.batch_tile),
            of(&lhs.subgroup_tile, &rhs.subgroup_tile),
            of(&lhs.subgroup_strides, &rhs.subgroup_strides),
        )?;
        (meet && lhs.subgroup_tile[2] == 1).then(|| self.as_it_lies(2, &sums))
    }

    /// A layout of blocks, rows and columns in the order of an operand's dimensions.
    pub fn as_it_lies(&self, operand: usize, layout: &Nested) -> Nested {
        let order = [0, 1, 2].map(|d| self.places[operand].iter().position(|&at| at == d).expect("three dimensions"));
        layout.permute(&order)
    }
}

/// The product and the layout of its sums, where a contraction of factors in these layouts is one.
pub fn of_contract(ir: &Ir, op: OpId, lhs: &Nested, rhs: &Nested, chip: &Chip) -> Option<(Product, Nested)> {
    let mma = ir.keyword_of(op, "iree.gpu.mma").and_then(mma).filter(|mma| chip.mmas.contains(&mma.name))?;
    let product = Product::of(ir, &Contract::of(ir, op), mma)?;
    // Matrix instructions sum all products.
    if ir.keyword_of(op, "kind").unwrap_or("add") != "add" || mask_of(ir, op).is_some() {
        return None;
    }
    let result = product.result(lhs, rhs)?;
    Some((product, result))
}
