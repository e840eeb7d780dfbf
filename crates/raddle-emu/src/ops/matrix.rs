//! Matrix products: hardware instructions on fragments, and contractions of whole vectors and tensors.

use raddle_target::catalogue::SharedTile;

use crate::fault::{Fault, Kind, Run};
use crate::inst::{Combine, Contract, Float2, GroupFactor, MmaInst, SharedProductInst};
use crate::machine::{Machine, Subgroup};
use crate::ops::arith::{combine_f32, combine_f64, combine_int, is_plain_sum};
use crate::ops::gpu::check_matrix;
use crate::ops::transfer::{buffer, outside};
use crate::ops::wide;
use crate::regs::{Bank, Num, Reg, Regs, Space, by_bank, number_at};
use crate::round::Round;

/// `D = A * B + C` for the fragments of a subgroup: each element of D starts at C and takes the products in order of k,
/// rounding to the accumulator's type after each.
pub(crate) fn mma(s: &mut Subgroup, inst: &MmaInst) -> Run<()> {
    check_matrix(s)?;
    for ((&reg, duplicates), name) in inst.operands.iter().zip(&inst.duplicates).zip(["A", "B", "C"]) {
        by_bank!(reg.bank, check_duplicates::<_>(s, reg, duplicates, name))?;
    }
    let extents = [1, inst.mma.m as usize, inst.mma.n as usize, inst.mma.k as usize];
    let [a, b, c] = &inst.tables;
    let [lhs, rhs, acc] = inst.operands;
    match inst.dst.bank {
        Bank::F64 => {
            let product = [gathered(&s.regs, lhs, a), gathered(&s.regs, rhs, b), gathered(&s.regs, acc, c)];
            multiply(&mut s.regs, inst.dst, c, extents, product, |acc: f64, a, b| acc + a * b);
        }
        Bank::Int => {
            let product = [gathered(&s.regs, lhs, a), gathered(&s.regs, rhs, b), gathered(&s.regs, acc, c)];
            multiply(&mut s.regs, inst.dst, c, extents, product, |acc: i64, a: i64, b: i64| {
                i64::from(acc.wrapping_add(a.wrapping_mul(b)) as i32)
            });
        }
        _ => {
            let product = [gathered(&s.regs, lhs, a), gathered(&s.regs, rhs, b), gathered(&s.regs, acc, c)];
            match inst.round {
                Round::Keep => multiply(&mut s.regs, inst.dst, c, extents, product, |acc: f32, a, b| acc + a * b),
                round => {
                    multiply(&mut s.regs, inst.dst, c, extents, product, move |acc: f32, a, b| {
                        round.apply(acc + a * b)
                    });
                }
            }
        }
    }
    Ok(())
}

/// `D = A * B + C` for a subgroup's 16 of 64 rows, with tiles in shared memory: like [`mma`], in order of k.
///
/// Here it is done at once. That nobody looks at its results, or writes its tiles, before they are waited for is for the
/// machine that executes PTX to find.
pub(crate) fn shared_product(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    inst: &SharedProductInst,
    pc: usize,
) -> Run<()> {
    check_matrix(s)?;
    let [_, n, k] = inst.product.mnk;
    let first = i64::from(s.id % GROUP) * ROWS;
    let extents = [1, ROWS as usize, n as usize, k as usize];
    let table = &inst.table;
    match inst.dst.bank {
        Bank::F64 => {
            let [a, b] = factors::<f64>(machine, s, inst, first, pc)?;
            let product = [a, b, gathered(&s.regs, inst.acc, table)];
            multiply(&mut s.regs, inst.dst, table, extents, product, |acc: f64, a, b| acc + a * b);
        }
        Bank::Int => {
            let [a, b] = factors::<i64>(machine, s, inst, first, pc)?;
            let product = [a, b, gathered(&s.regs, inst.acc, table)];
            multiply(&mut s.regs, inst.dst, table, extents, product, |acc: i64, a: i64, b: i64| {
                i64::from(acc.wrapping_add(a.wrapping_mul(b)) as i32)
            });
        }
        _ => {
            let [a, b] = factors::<f32>(machine, s, inst, first, pc)?;
            let (product, round) = ([a, b, gathered(&s.regs, inst.acc, table)], inst.round);
            multiply(&mut s.regs, inst.dst, table, extents, product, move |acc: f32, a, b| round.apply(acc + a * b));
        }
    }
    Ok(())
}

/// Both factors of a subgroup's part of a product, row-major; its rows begin at `first`.
fn factors<T: Convert>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    inst: &SharedProductInst,
    first: i64,
    pc: usize,
) -> Run<[Vec<T>; 2]> {
    let [_, n, k] = inst.product.mnk;
    let a = match (&inst.lhs, &inst.product.lhs) {
        (GroupFactor::Shared(view, at), Some(from)) => {
            let place = |row: i64| (0..k).map(move |k| from.plain_place(first + row, k));
            let places: Vec<i64> = (0..ROWS).flat_map(place).collect();
            tile(machine, s, (*view, *at), (from, &places), pc)?
        }
        (GroupFactor::Registers(reg, table), _) => gathered(&s.regs, *reg, table),
        (GroupFactor::Shared(..), None) => unreachable!("the decoder takes both from one operation"),
    };
    let from = &inst.product.rhs;
    let places: Vec<i64> = (0..k).flat_map(|k| (0..n).map(move |column| from.plain_place(column, k))).collect();
    Ok([a, tile(machine, s, inst.rhs, (from, &places), pc)?])
}

/// Elements of a tile in shared memory, at places that are counted from where it begins and not swizzled.
fn tile<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    (view, at): (Reg, Reg),
    (tile, places): (&SharedTile, &[i64]),
    pc: usize,
) -> Run<Vec<T>> {
    let lanes = s.regs.lanes;
    let view = s.regs.view(view).clone();
    let begin = s.regs.int(at, 0);
    if let Some(lane) = (1..lanes).find(|&lane| s.regs.int(at, lane) != begin) {
        let message = "the lanes of a subgroup name different tiles".to_owned();
        return Err(Fault::new(Kind::Undefined, Some(lane), message));
    }
    if !matches!(view.space, Space::Shared(_)) || view.cast(lanes).is_some() {
        return Err(Fault::new(
            Kind::Unsupported,
            None,
            "the tile does not lie in shared memory, as elements of its type",
        ));
    }
    let now = machine.now(s, view.space, pc);
    let buffer = buffer(machine, s, view.space)?;
    let (mut values, mut faults) = (Vec::with_capacity(places.len()), Vec::new());
    for (number, place) in places.iter().enumerate() {
        let place = tile.swizzled(begin + place);
        if !(0..view.shape[0]).contains(&place) {
            return Err(outside(&view, 0, place, 0));
        }
        let address = (view.offset[0] + place) as usize;
        if buffer.is_tracked() {
            faults.extend(buffer.note_read(address, &now, number % lanes).err());
        }
        values.push(number_at(buffer.data(), address, None));
    }
    if buffer.is_forked() {
        buffer.touch(places.iter().map(|place| (view.offset[0] + tile.swizzled(begin + place)) as usize), false);
    }
    for fault in faults {
        machine.put_off(s, pc, fault)?;
    }
    Ok(values)
}

/// Subgroups that do one product in shared memory, and the rows of each.
const GROUP: u32 = 4;
const ROWS: i64 = 16;

/// Where the hardware holds an element twice, both copies are the same.
#[allow(clippy::eq_op, reason = "a NaN differs from itself, and is as good as any other")]
fn check_duplicates<T: Num>(s: &Subgroup, reg: Reg, duplicates: &[(u32, u32)], name: &str) -> Run<()> {
    let values = s.regs.get::<T>(reg);
    let lanes = s.regs.lanes;
    let differ = |x: &T, y: &T| x != y && x == x && y == y;
    match duplicates.iter().find(|&&(first, second)| differ(&values[first as usize], &values[second as usize])) {
        None => Ok(()),
        Some(&(first, second)) => {
            let (first, second) = (first as usize % lanes, second as usize % lanes);
            let message = format!("lanes {first} and {second} hold different copies of one element of {name}");
            Err(Fault::new(Kind::Undefined, Some(second), message).help("give both the same value"))
        }
    }
}

/// A number as another bank has it.
trait Convert: Num + Copy {
    fn from_f32(x: f32) -> Self;
    fn from_f64(x: f64) -> Self;
    fn from_int(x: i64) -> Self;
}

macro_rules! convert {
    ($($ty:ty),*) => {$(
        impl Convert for $ty {
            #[inline(always)]
            fn from_f32(x: f32) -> $ty { x as $ty }
            #[inline(always)]
            fn from_f64(x: f64) -> $ty { x as $ty }
            #[inline(always)]
            fn from_int(x: i64) -> $ty { x as $ty }
        }
    )*};
}
convert!(f32, f64, i64);

/// Elements by table, which counts lanes too.
fn gathered<T: Convert>(regs: &Regs, reg: Reg, table: &[u32]) -> Vec<T> {
    match reg.bank {
        Bank::F32 => {
            let values = regs.get::<f32>(reg);
            table.iter().map(|&at| T::from_f32(values[at as usize])).collect()
        }
        Bank::F64 => {
            let values = regs.get::<f64>(reg);
            table.iter().map(|&at| T::from_f64(values[at as usize])).collect()
        }
        _ => {
            let values = regs.get::<i64>(reg);
            table.iter().map(|&at| T::from_int(values[at as usize])).collect()
        }
    }
}

fn multiply<T: Num + Copy>(
    regs: &mut Regs,
    dst: Reg,
    table: &[u32],
    extents: [usize; 4],
    [a, b, mut c]: [Vec<T>; 3],
    mac: impl Fn(T, T, T) -> T + Copy,
) {
    product(&a, &b, &mut c, extents, mac);
    let mut out = regs.take::<T>(dst);
    for (&at, &value) in table.iter().zip(&c) {
        out[at as usize] = value;
    }
    regs.put(dst, out);
}

/// Dense products, summed in order of k; the innermost loop runs along n, where nothing depends on its neighbour.
fn product<T: Num + Copy>(
    a: &[T],
    b: &[T],
    c: &mut [T],
    [nb, nm, nn, nk]: [usize; 4],
    mac: impl Fn(T, T, T) -> T + Copy,
) {
    if nn == 0 || nk == 0 || nm == 0 {
        return;
    }
    for batch in 0..nb {
        let b = &b[batch * nk * nn..][..nk * nn];
        let a = &a[batch * nm * nk..][..nm * nk];
        let c = &mut c[batch * nm * nn..][..nm * nn];
        if nn == 1 {
            for (row, c) in a.chunks_exact(nk).zip(c) {
                *c = row.iter().zip(b).fold(*c, |acc, (&a, &b)| mac(acc, a, b));
            }
            continue;
        }
        for (row, c) in a.chunks_exact(nk).zip(c.chunks_exact_mut(nn)) {
            let mut k = 0;
            // Four at a time, so that the row of sums is read and written less often.
            while k + 4 <= nk {
                let [b0, b1, b2, b3] = [0, 1, 2, 3].map(|i| &b[(k + i) * nn..][..nn]);
                let [a0, a1, a2, a3] = [row[k], row[k + 1], row[k + 2], row[k + 3]];
                for ((((c, &b0), &b1), &b2), &b3) in c.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
                    *c = mac(mac(mac(mac(*c, a0, b0), a1, b1), a2, b2), a3, b3);
                }
                k += 4;
            }
            for (&a, b) in row[k..].iter().zip(b[k * nn..].chunks_exact(nn)) {
                for (c, &b) in c.iter_mut().zip(b) {
                    *c = mac(*c, a, b);
                }
            }
        }
    }
}

/// `vector.contract`, and structured operations that are one.
pub(crate) fn contract(s: &mut Subgroup, inst: &Contract) {
    let plain = is_plain_sum(inst.multiply, inst.combine);
    match (inst.multiply, inst.combine, inst.dst.bank) {
        (_, _, Bank::Wide) => wide::contract(&mut s.regs, inst),
        (Combine::Int(mul, width), Combine::Int(add, _), _) => {
            let (mul, add) = (combine_int(mul, width), combine_int(add, width));
            if plain {
                // Wrapping once at the end is the same as wrapping each time.
                lanewise::<i64>(&mut s.regs, inst, |c, a, b| c.wrapping_add(a.wrapping_mul(b)));
                crate::round::wrap_all(&mut s.regs.ints[inst.dst.at as usize], width);
            } else {
                lanewise::<i64>(&mut s.regs, inst, move |c, a, b| add(c, mul(a, b)));
            }
        }
        (_, _, Bank::F32) if plain => lanewise::<f32>(&mut s.regs, inst, |c, a, b| c + a * b),
        (_, _, Bank::F64) if plain => lanewise::<f64>(&mut s.regs, inst, |c, a, b| c + a * b),
        (Combine::Float(..), Combine::Float(Float2::Add, Round::F16), Bank::F32) => {
            lanewise::<f32>(&mut s.regs, inst, |c, a, b| Round::F16.apply(c + Round::F16.apply(a * b)));
        }
        (Combine::Float(mul, round), Combine::Float(add, _), Bank::F32) => {
            let (mul, add) = (combine_f32(mul, round), combine_f32(add, round));
            lanewise::<f32>(&mut s.regs, inst, move |c, a, b| add(c, mul(a, b)));
        }
        (Combine::Float(mul, _), Combine::Float(add, _), _) => {
            let (mul, add) = (combine_f64(mul), combine_f64(add));
            lanewise::<f64>(&mut s.regs, inst, move |c, a, b| add(c, mul(a, b)));
        }
        (Combine::Int(..), Combine::Float(..), _) | (Combine::Float(..), Combine::Int(..), _) => {
            unreachable!("both functions of a contraction are of the accumulator's type")
        }
    }
}

fn lanewise<T: Convert>(regs: &mut Regs, inst: &Contract, mac: impl Fn(T, T, T) -> T + Copy) {
    let lanes = regs.lanes;
    let mut out = regs.take::<T>(inst.dst);
    for lane in 0..lanes {
        let pick = |reg: Reg, table: &[u32]| -> Vec<T> {
            if lanes == 1 {
                return gathered(regs, reg, table);
            }
            let table: Vec<u32> = table.iter().map(|&at| at * lanes as u32 + lane as u32).collect();
            gathered(regs, reg, &table)
        };
        let (a, b) = (pick(inst.lhs, &inst.lhs_table), pick(inst.rhs, &inst.rhs_table));
        let mut c = pick(inst.acc, &inst.acc_table);
        product(&a, &b, &mut c, inst.extents, mac);
        for (&at, &value) in inst.acc_table.iter().zip(&c) {
            out[at as usize * lanes + lane] = value;
        }
    }
    regs.put(inst.dst, out);
}
