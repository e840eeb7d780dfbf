//! Folding arithmetic never changes a bit: every operation on every pair of edge values, as constants and from memory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_emu::Tensor;
use raddle_ir::{AttrId, Builder, Float, Ir, Opcode, Scalar, TypeId, ValueId};
use raddle_passes::clean;

use crate::common::{kernel, run};

fn type_of(ir: &mut Ir, scalar: Scalar) -> TypeId {
    match scalar {
        Scalar::Float(float) => ir.float_type(float),
        Scalar::Int(width) => ir.int_type(width),
        Scalar::Index => ir.index_type(),
    }
}

fn constant(b: &mut Builder<'_>, ty: TypeId, scalar: Scalar, value: f64) -> ValueId {
    match scalar {
        Scalar::Float(_) => b.float(value, ty),
        _ => b.int(value as i64, ty),
    }
}

/// Runs `opcode` on all pairs of values that `defined` admits, each pair as constant and constant, memory and constant,
/// constant and memory, memory twice, before and after cleaning.
fn compare(
    scalar: Scalar,
    result: Scalar,
    values: &[f64],
    opcode: Opcode,
    attrs: &[(&str, i64)],
    defined: fn(f64, f64) -> bool,
) {
    let n = values.len() as i64;
    let input = match scalar {
        Scalar::Float(_) => Tensor::from_f64(scalar, &[n], values),
        _ => Tensor::from_i64(scalar, &[n], &values.iter().map(|&value| value as i64).collect::<Vec<_>>()),
    };
    let size = n * n * 4;
    let output = Tensor::zeros(result, &[size]);
    let types = |ir: &mut Ir| {
        let (from, to) = (type_of(ir, scalar), type_of(ir, result));
        vec![ir.memref_type(&[n], from, None), ir.memref_type(&[size], to, None)]
    };
    let (mut ir, func) = kernel(1, types, |b, args| {
        let (ty, to) = (type_of(b.ir, scalar), type_of(b.ir, result));
        let attrs: Vec<(&str, AttrId)> = attrs.iter().map(|&(name, value)| (name, b.ir.i64_attr(value))).collect();
        let mut place = 0;
        for (i, &x) in values.iter().enumerate() {
            for (j, &y) in values.iter().enumerate() {
                for form in 0..4 {
                    let mut operand = |value: f64, at: usize, constant_form: bool| {
                        let at = b.index(at as i64);
                        if constant_form {
                            constant(b, ty, scalar, value)
                        } else {
                            b.value(Opcode::MemrefLoad, &[args[0], at], ty, &[])
                        }
                    };
                    let (lhs, rhs) = (operand(x, i, form & 1 == 0), operand(y, j, form & 2 == 0));
                    let rhs = if form == 3 && i == j { lhs } else { rhs };
                    if defined(x, y) {
                        let value = b.value(opcode, &[lhs, rhs], to, &attrs);
                        let place = b.index(place);
                        b.op(Opcode::MemrefStore, &[value, args[1], place], &[], &[]);
                    }
                    place += 1;
                }
            }
        }
        // Thread numbers make it a program of one thread.
        b.gpu_id(Opcode::GpuThreadId, 0);
    });
    let before = run(&ir, func, &[input.clone(), output.clone()]);
    clean::clean(&mut ir, func);
    let after = run(&ir, func, &[input, output]);
    assert!(before == after, "{} on {scalar}: cleaning changed a result", opcode.name());
    let left = ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == opcode).count();
    // A quarter of the pairs are constants on both sides; only those that make NaNs may be left.
    assert!(left * 2 < values.len() * values.len() * 7, "{} on {scalar}: constants are folded", opcode.name());
}

fn edges(width: u32) -> Vec<f64> {
    let most = if width == 64 { 2f64.powi(62) } else { 2f64.powi(width as i32 - 1) - 1.0 };
    let mut values = vec![0.0, -1.0];
    if width > 1 {
        values.extend([1.0, 2.0, 3.0, -2.0, 5.0, most, -most - 1.0]);
    }
    values
}

const WIDTHS: [Scalar; 6] =
    [Scalar::Int(1), Scalar::Int(8), Scalar::Int(16), Scalar::Int(32), Scalar::Int(64), Scalar::Index];

fn width(scalar: Scalar) -> u32 {
    scalar.bits()
}

/// Sums, products, bits, extremes.
#[test]
fn integers_wrap() {
    for scalar in WIDTHS {
        for opcode in [
            Opcode::ArithAddi,
            Opcode::ArithSubi,
            Opcode::ArithMuli,
            Opcode::ArithAndi,
            Opcode::ArithOri,
            Opcode::ArithXori,
            Opcode::ArithMaxsi,
            Opcode::ArithMaxui,
            Opcode::ArithMinsi,
            Opcode::ArithMinui,
        ] {
            compare(scalar, scalar, &edges(width(scalar)), opcode, &[], |_, _| true);
        }
    }
}

/// Shifts below the width, divisions by what is not 0 and does not overflow.
#[test]
fn divisions_and_shifts_are_those_of_the_machine() {
    for scalar in &WIDTHS[1..] {
        for opcode in [Opcode::ArithShli, Opcode::ArithShrsi, Opcode::ArithShrui] {
            compare(*scalar, *scalar, &edges(width(*scalar)), opcode, &[], |_, y| (0.0..8.0).contains(&y));
        }
        for opcode in [
            Opcode::ArithDivsi,
            Opcode::ArithDivui,
            Opcode::ArithRemsi,
            Opcode::ArithRemui,
            Opcode::ArithCeildivsi,
            Opcode::ArithCeildivui,
            Opcode::ArithFloordivsi,
        ] {
            compare(*scalar, *scalar, &edges(width(*scalar)), opcode, &[], |x, y| {
                y != 0.0 && !(y == -1.0 && x < -100.0)
            });
        }
    }
}

/// All ten predicates.
#[test]
fn comparisons_of_integers() {
    for scalar in WIDTHS {
        for predicate in 0..10 {
            let attrs = [("predicate", predicate)];
            compare(scalar, Scalar::Int(1), &edges(width(scalar)), Opcode::ArithCmpi, &attrs, |_, _| true);
        }
    }
}

/// Signed zeros, infinities, NaNs, the smallest and the largest numbers.
#[test]
fn floats_keep_every_bit() {
    for float in [Float::F16, Float::BF16, Float::F32, Float::F64] {
        let values: Vec<f64> =
            [0.0, -0.0, 1.0, -1.0, 0.1, 3.0, 6e-8, 65504.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
                .iter()
                .map(|&value| raddle_ir::float::round(float, value))
                .collect();
        let scalar = Scalar::Float(float);
        for opcode in [Opcode::ArithAddf, Opcode::ArithSubf, Opcode::ArithMulf, Opcode::ArithDivf] {
            compare(scalar, scalar, &values, opcode, &[], |_, _| true);
        }
    }
}
