//! Structured operations: a nest of loops around a body that runs on many neighbouring points at once.

use crate::fault::{Fault, Kind};
use crate::inst::{Address, Known, Nest, NestOperand};
use crate::machine::{Failed, Machine, Subgroup};
use crate::regs::{Num, Reg, Regs, by_bank, row_major};

/// Runs every point of the iteration space: the loops in order, reductions among them, so that each element of a result
/// sees its points in order; only the loop along the lanes is cut into chunks and runs innermost.
#[inline(never)]
pub(crate) fn nest(machine: &mut Machine<'_>, s: &mut Subgroup, nest: &Nest) -> Result<(), Failed> {
    for output in &nest.outputs {
        by_bank!(output.dst.bank, copy::<_>(&mut s.regs, output.dst, output.operand.reg));
    }
    if nest.extents.contains(&0) {
        return Ok(());
    }
    let launched = if nest.width == 128 { u128::MAX } else { (1 << nest.width) - 1 };
    let mut body = Subgroup::new(0, &nest.body, nest.width, launched);
    for &(outer, inner) in &nest.captures {
        by_bank!(outer.bank, capture::<_>(&s.regs, outer, &mut body.regs, inner));
    }

    let rank = nest.extents.len();
    let mut point = vec![0i64; rank];
    let mut addresses = vec![0usize; nest.width];
    loop {
        let n = match nest.along {
            Some(d) => (nest.extents[d] - point[d]).min(nest.width as i64) as usize,
            None => 1,
        };
        for (reg, known) in &nest.body.known {
            if let Known::Loop(d) = known {
                let along = i64::from(nest.along == Some(*d));
                let first = point.get(*d).copied().unwrap_or(0);
                let out = &mut body.regs.ints[reg.at as usize];
                out.iter_mut().enumerate().for_each(|(lane, out)| *out = first + along * lane as i64);
            }
        }
        for operand in &nest.inputs {
            address(operand, nest, &point, &mut addresses[..n])?;
            by_bank!(
                operand.reg.bank,
                fetch::<_>(&s.regs, operand.reg, &mut body.regs, operand.inner, &addresses[..n])
            );
        }
        for output in &nest.outputs {
            address(&output.operand, nest, &point, &mut addresses[..n])?;
            by_bank!(
                output.dst.bank,
                fetch::<_>(&s.regs, output.dst, &mut body.regs, output.operand.inner, &addresses[..n])
            );
        }
        body.launched = if n == 128 { u128::MAX } else { (1 << n) - 1 };
        body.pc = 0;
        body.set_mask(body.launched);
        machine.run(&nest.body, &mut body)?;
        for output in &nest.outputs {
            address(&output.operand, nest, &point, &mut addresses[..n])?;
            by_bank!(output.dst.bank, give::<_>(&body.regs, output.yielded, &mut s.regs, output.dst, &addresses[..n]));
        }
        if !advance(nest, &mut point) {
            return Ok(());
        }
    }
}

/// The next chunk: along the lanes first, then the other loops from the inside out.
fn advance(nest: &Nest, point: &mut [i64]) -> bool {
    if let Some(d) = nest.along {
        point[d] += nest.width as i64;
        if point[d] < nest.extents[d] {
            return true;
        }
        point[d] = 0;
    }
    for d in (0..point.len()).rev() {
        if nest.along == Some(d) {
            continue;
        }
        point[d] += 1;
        if point[d] < nest.extents[d] {
            return true;
        }
        point[d] = 0;
    }
    false
}

/// The elements of an operand for a chunk of points.
fn address(operand: &NestOperand, nest: &Nest, point: &[i64], out: &mut [usize]) -> Result<(), Failed> {
    match &operand.address {
        Address::Linear { first, coefficients } => {
            let first = first + coefficients.iter().zip(point).map(|(c, at)| c * at).sum::<i64>();
            let step = nest.along.map_or(0, |d| coefficients[d]);
            for (lane, out) in out.iter_mut().enumerate() {
                *out = (first + step * lane as i64) as usize;
            }
        }
        Address::Map { map, shape } => {
            let strides = row_major(shape);
            let mut point = point.to_vec();
            for out in out.iter_mut() {
                let coords = map.eval(&point, &[]);
                let inside = coords
                    .as_ref()
                    .filter(|coords| coords.iter().zip(shape).all(|(at, extent)| (0..*extent).contains(at)));
                let Some(coords) = inside else {
                    return Err(Fault::new(
                        Kind::Bounds,
                        Some(0),
                        format!("the map ({map}) leaves an operand of shape {shape:?} at the point {point:?}"),
                    )
                    .into());
                };
                *out = coords.iter().zip(&strides).map(|(at, stride)| at * stride).sum::<i64>() as usize;
                if let Some(d) = nest.along {
                    point[d] += 1;
                }
            }
        }
    }
    Ok(())
}

fn copy<T: Num>(regs: &mut Regs, dst: Reg, src: Reg) {
    let mut out = regs.take::<T>(dst);
    out.clone_from_slice(regs.get::<T>(src));
    regs.put(dst, out);
}

fn capture<T: Num>(from: &Regs, outer: Reg, to: &mut Regs, inner: Reg) {
    let lanes = to.lanes;
    let values = from.get::<T>(outer);
    for (out, value) in T::bank_mut(to)[inner.at as usize].chunks_exact_mut(lanes).zip(values) {
        out.fill(value.clone());
    }
}

fn fetch<T: Num>(from: &Regs, reg: Reg, to: &mut Regs, inner: Reg, addresses: &[usize]) {
    let values = from.get::<T>(reg);
    for (out, &at) in T::bank_mut(to)[inner.at as usize].iter_mut().zip(addresses) {
        *out = values[at].clone();
    }
}

fn give<T: Num>(from: &Regs, yielded: Reg, to: &mut Regs, dst: Reg, addresses: &[usize]) {
    let out = &mut T::bank_mut(to)[dst.at as usize];
    for (value, &at) in from.get::<T>(yielded).iter().zip(addresses) {
        out[at] = value.clone();
    }
}
