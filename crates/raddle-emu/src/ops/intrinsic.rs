//! Matrix instructions of the catalogue.
//!
//! Each element of D begins at C's and takes the products in order of k, rounded to the accumulator's type after each;
//! a product of floats of at most 32 bits is rounded to f32 first, which is exact for factors of at most 19 bits. With
//! block scales the four factors of a product are multiplied exactly. Integers wrap. Hardware may add in another order.

use crate::decode::intrinsic::NOWHERE;
use crate::fault::{Fault, Kind, Run};
use crate::inst::{Intrinsic, Places, Product, Scales, Source};
use crate::machine::{Machine, Subgroup};
use crate::ops::gpu::check_matrix;
use crate::ops::transfer::buffer;
use crate::regs::{Bank, Data, Reg, Regs};
use crate::round::Round;

/// A number of any bank.
#[derive(Clone, Copy)]
enum Number {
    Float(f64),
    Int(i64),
}

#[inline(never)]
pub(crate) fn intrinsic(machine: &mut Machine<'_>, s: &mut Subgroup, inst: &Intrinsic, pc: usize) -> Run<()> {
    check_matrix(s)?;
    let which = s.id as usize % inst.held.len();
    let [held_a, held_b, held_c] = &inst.held[which];
    let [_, m, n, k] = inst.extents;
    for (factor, held) in inst.factors.iter().zip([held_a, held_b]) {
        if let Source::Register(reg) = *factor {
            check_duplicates(s, reg, &held.duplicates)?;
        }
    }
    let a = match inst.factors[0] {
        Source::Register(reg) => sparse(&s.regs, inst, numbers(&s.regs, reg, &held_a.table), &held_a.table)?,
        Source::Shared(view) => shared(machine, s, view, [m, k], pc)?,
    };
    let b = match inst.factors[1] {
        Source::Register(reg) => numbers(&s.regs, reg, &held_b.table),
        Source::Shared(view) => shared(machine, s, view, [k, n], pc)?,
    };
    let scales = inst.scales.as_ref().map(|Scales { block, regs, held }| {
        let [of_a, of_b] = [0, 1].map(|at| numbers(&s.regs, regs[at], &held[which][at].table));
        (*block, of_a, of_b)
    });
    let mut out = Vec::new();
    for (element, &at) in held_c.table.iter().enumerate().filter(|(_, at)| **at != NOWHERE) {
        let (block, row, column) = (element / (m * n), element / n % m, element % n);
        let mut acc = number(&s.regs, inst.acc, at);
        for step in 0..k {
            let (Some(x), Some(y)) = (a[(block * m + row) * k + step], b[(block * k + step) * n + column]) else {
                return Err(Fault::new(Kind::Undefined, None, "no lane holds an element that the product needs"));
            };
            let scale = scales.as_ref().map(|(size, of_a, of_b)| {
                let columns = k / size;
                (of_a[row * columns + step / size], of_b[column * columns + step / size])
            });
            acc = add(inst, acc, x, y, scale);
        }
        out.push((at, acc));
    }
    for (at, value) in out {
        put(&mut s.regs, inst.dst, at, value);
    }
    for &(first, second) in &held_c.duplicates {
        let value = number(&s.regs, inst.dst, first);
        put(&mut s.regs, inst.dst, second, value);
    }
    Ok(())
}

/// One more product.
fn add(inst: &Intrinsic, acc: Number, x: Number, y: Number, scale: Option<(Option<Number>, Option<Number>)>) -> Number {
    match (acc, x, y) {
        (Number::Float(acc), Number::Float(x), Number::Float(y)) => {
            let cut = |x: f64, tf32: bool| if tf32 { f64::from(Round::TF32.apply(x as f32)) } else { x };
            let (x, y) = (cut(x, inst.tf32[0]), cut(y, inst.tf32[1]));
            let factor = |scale: Option<Number>| if let Some(Number::Float(scale)) = scale { scale } else { f64::NAN };
            if inst.dst.bank == Bank::F64 {
                let (sx, sy) = scale.map_or((1.0, 1.0), |(sx, sy)| (factor(sx), factor(sy)));
                return Number::Float(acc + x * sx * (y * sy));
            }
            let product = match scale {
                Some((sx, sy)) => x * factor(sx) * (y * factor(sy)),
                None => f64::from(x as f32 * y as f32),
            };
            Number::Float(f64::from(inst.round.apply((acc + product) as f32)))
        }
        (Number::Int(acc), Number::Int(x), Number::Int(y)) => {
            let read = |x: i64, mask: i64| if mask == -1 { x } else { x & mask };
            let (x, y) = (read(x, inst.masks[0]), read(y, inst.masks[1]));
            let product = match inst.product {
                Product::Multiply => x.wrapping_mul(y),
                Product::Xor => (x ^ y) & 1,
                Product::And => x & y & 1,
            };
            Number::Int(i64::from(acc.wrapping_add(product) as i32))
        }
        _ => unreachable!("the decoder compared the banks"),
    }
}

fn number(regs: &Regs, reg: Reg, at: u32) -> Number {
    let at = at as usize;
    match reg.bank {
        Bank::F32 => Number::Float(f64::from(regs.f32s[reg.at as usize][at])),
        Bank::F64 => Number::Float(regs.f64s[reg.at as usize][at]),
        Bank::Int | Bank::Wide | Bank::Complex | Bank::View => Number::Int(regs.ints[reg.at as usize][at]),
    }
}

fn put(regs: &mut Regs, reg: Reg, at: u32, value: Number) {
    let at = at as usize;
    match (reg.bank, value) {
        (Bank::F32, Number::Float(x)) => regs.f32s[reg.at as usize][at] = x as f32,
        (Bank::F64, Number::Float(x)) => regs.f64s[reg.at as usize][at] = x,
        (_, Number::Int(x)) => regs.ints[reg.at as usize][at] = x,
        (Bank::Int | Bank::Wide | Bank::Complex | Bank::View, Number::Float(_)) => {
            unreachable!("the decoder compared the banks")
        }
    }
}

fn numbers(regs: &Regs, reg: Reg, table: &[u32]) -> Vec<Option<Number>> {
    table.iter().map(|&at| if at == NOWHERE { None } else { Some(number(regs, reg, at)) }).collect()
}

/// A dense A out of one that holds two of each four elements along k: what it does not hold is zero.
fn sparse(regs: &Regs, inst: &Intrinsic, held: Vec<Option<Number>>, table: &[u32]) -> Run<Vec<Option<Number>>> {
    let Some(places) = &inst.places else { return Ok(held) };
    let [blocks, m, _, k] = inst.extents;
    let zero = match held.iter().flatten().next() {
        Some(Number::Int(_)) => Number::Int(0),
        _ => Number::Float(0.0),
    };
    let rows = blocks * m;
    let mut dense: Vec<Option<Number>> = vec![Some(zero); rows * k];
    for (element, value) in held.into_iter().enumerate() {
        let (row, stored) = (element / (k / 2), element % (k / 2));
        let first = row * k + stored / 2 * 4;
        let Some(&at) = table.get(element).filter(|&&at| at != NOWHERE) else {
            dense[first..][..4].fill(None);
            continue;
        };
        let place = if places.bits.is_empty() {
            let lane = at as usize % regs.lanes;
            let Number::Int(place) = number(regs, places.reg, at) else { continue };
            if !(0..4).contains(&place) {
                let message = format!("an element of a sparse factor is in place {place} of four");
                return Err(Fault::new(Kind::Undefined, Some(lane), message));
            }
            place as usize
        } else {
            named(regs, inst, places, element)?
        };
        dense[first + place] = value;
    }
    Ok(dense)
}

/// Which of four along k a stored element is, as metadata says. PTX ISA, "Sparse matrix storage": of two numbers of two
/// bits the first is the lesser; of tf32 one of two elements is stored, which has the numbers of both its halves.
fn named(regs: &Regs, inst: &Intrinsic, places: &Places, element: usize) -> Run<usize> {
    let of_pairs = inst.tf32[0];
    let (lane, shift) = places.bits[if of_pairs { element } else { element / 2 }];
    let half = |slot: u32| match number(regs, places.reg, slot * regs.lanes as u32 + lane as u32) {
        Number::Int(half) => half as u64 & 0xffff,
        Number::Float(_) => 0,
    };
    let bits = (half(0) | half(1) << 16) >> shift & 0xf;
    let [low, high] = [bits & 3, bits >> 2];
    if low >= high || of_pairs && (low % 2 == 1 || high - low != 1) {
        let message = format!("metadata of {bits:#06b} names no elements of a sparse factor");
        return Err(Fault::new(Kind::Undefined, Some(lane), message));
    }
    let odd = element % 2 == 1;
    Ok(match of_pairs {
        true => 2 * usize::from(odd) + (low / 2) as usize,
        false => (if odd { high } else { low }) as usize,
    })
}

/// A factor in shared memory, which every lane of the subgroup looks at: the first one stands for all.
fn shared(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    view: Reg,
    [rows, columns]: [usize; 2],
    pc: usize,
) -> Run<Vec<Option<Number>>> {
    let view = s.regs.view(view).clone();
    let now = machine.now(s, view.space, pc);
    let mut addresses = Vec::with_capacity(rows * columns);
    for row in 0..rows as i64 {
        for column in 0..columns as i64 {
            let step = |d: usize| view.strides.get(d).copied().unwrap_or(0);
            addresses.push((view.offset[0] + row * step(0) + column * step(1)) as usize);
        }
    }
    let buffer = buffer(machine, s, view.space)?;
    let mut faults = Vec::new();
    let mut values = Vec::with_capacity(addresses.len());
    for &address in &addresses {
        faults.extend(buffer.note_read(address, &now, 0).err());
        values.push(match buffer.data() {
            Data::F32(data) => data.get(address).map(|&x| Number::Float(f64::from(x))),
            Data::F64(data) => data.get(address).map(|&x| Number::Float(x)),
            Data::Int(data) => data.get(address).map(|&x| Number::Int(x)),
            Data::Wide(_) | Data::Complex(_) => unreachable!("no instruction has factors of such numbers"),
        });
    }
    let elem_bytes = buffer.elem.bytes();
    for fault in faults {
        machine.put_off(s, pc, fault)?;
    }
    machine.counters.shared_bytes_read += (addresses.len() * elem_bytes) as u64;
    Ok(values)
}

/// Where lanes hold an element twice, both copies are the same.
fn check_duplicates(s: &Subgroup, reg: Reg, duplicates: &[(u32, u32)]) -> Run<()> {
    let differ = |&&(first, second): &&(u32, u32)| match (number(&s.regs, reg, first), number(&s.regs, reg, second)) {
        (Number::Float(x), Number::Float(y)) => x != y && !x.is_nan() && !y.is_nan(),
        (Number::Int(x), Number::Int(y)) => x != y,
        (Number::Float(_), Number::Int(_)) | (Number::Int(_), Number::Float(_)) => true,
    };
    match duplicates.iter().find(differ) {
        None => Ok(()),
        Some(&(first, second)) => {
            let (first, second) = (first as usize % s.regs.lanes, second as usize % s.regs.lanes);
            let message = format!("lanes {first} and {second} hold different copies of one element");
            Err(Fault::new(Kind::Undefined, Some(second), message).help("give both the same value"))
        }
    }
}
