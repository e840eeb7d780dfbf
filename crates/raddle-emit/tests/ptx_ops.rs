//! Every scalar operation on every type it has, in kernels that ptxas accepts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_emit::ptx;
use raddle_ir::{AttrId, Builder, Float, Ir, Opcode, Scalar, TypeId, ValueId};
use raddle_target::{CHIPS, Vendor, mma};

use crate::common::*;

fn type_of(ir: &mut Ir, scalar: Scalar) -> TypeId {
    match scalar {
        Scalar::Float(float) => ir.float_type(float),
        Scalar::Int(width) => ir.int_type(width),
        Scalar::Index => ir.index_type(),
    }
}

const THREADS: i64 = 64;

/// One case: an operation, its attributes, how many operands it takes, and its result's type.
struct Case {
    opcode: Opcode,
    attr: Option<(&'static str, AttrId)>,
    n_operands: usize,
    result: Scalar,
}

/// A kernel that applies each case to elements of three buffers of `operand`s, one of which may be of `big` size, and
/// stores the results one behind another, in one buffer for each result type.
fn kernel(name: &str, operand: Scalar, big: bool, cases: impl FnOnce(&mut Ir) -> Vec<Case>) -> Kernel {
    let mut results: Vec<Scalar> = Vec::new();
    let mut table = Vec::new();
    let kernel = Kernel::new(
        name,
        |ir| {
            let ty = type_of(ir, operand);
            let n = if big { 1 << 32 } else { THREADS };
            let mut args = vec![global(ir, n, ty), global(ir, THREADS, ty), global(ir, THREADS, ty)];
            table = cases(ir);
            for case in &table {
                if !results.contains(&case.result) {
                    results.push(case.result);
                    let ty = type_of(ir, case.result);
                    args.push(global(ir, 64 * THREADS, ty));
                }
            }
            args
        },
        THREADS,
    );
    kernel.body(|b, args| {
        let thread = thread_id(b);
        let operands: Vec<ValueId> = args[..3].iter().map(|&base| load(b, base, thread)).collect();
        for (i, case) in table.iter().enumerate() {
            let ty = type_of(b.ir, case.result);
            let attrs: Vec<_> = case.attr.into_iter().collect();
            // Selection has its condition in front.
            let mut operands = operands.clone();
            if case.opcode == Opcode::ArithSelect {
                let condition = compare(b, 6, thread, thread);
                operands.insert(0, condition);
            }
            let value = b.value(case.opcode, &operands[..case.n_operands], ty, &attrs);
            let at = with(b, Opcode::ArithAddi, thread, i as i64 * THREADS);
            let buffer = args[3 + results.iter().position(|&result| result == case.result).unwrap()];
            store(b, value, buffer, at);
        }
    })
}

fn check(kernel: &Kernel, name: &str) {
    let text = kernel.emit().unwrap_or_else(|diag| panic!("{diag}: {}", diag.label));
    assemble(name, &text);
}

/// Float arithmetic and comparison.
#[test]
fn floats() {
    for float in [Float::F16, Float::BF16, Float::F32, Float::F64] {
        let ty = Scalar::Float(float);
        let name = format!("floats_{}", float.keyword());
        let kernel = kernel(&name, ty, false, |ir| {
            let mut cases = Vec::new();
            for opcode in [
                Opcode::ArithAddf,
                Opcode::ArithSubf,
                Opcode::ArithMulf,
                Opcode::ArithDivf,
                Opcode::ArithMaximumf,
                Opcode::ArithMinimumf,
                Opcode::ArithMaxnumf,
                Opcode::ArithMinnumf,
                Opcode::MathCopysign,
            ] {
                cases.push(Case { opcode, attr: None, n_operands: 2, result: ty });
            }
            for opcode in [
                Opcode::ArithNegf,
                Opcode::MathAbsf,
                Opcode::MathSqrt,
                Opcode::MathFloor,
                Opcode::MathCeil,
                Opcode::MathTrunc,
                Opcode::MathRoundeven,
            ] {
                cases.push(Case { opcode, attr: None, n_operands: 1, result: ty });
            }
            cases.push(Case { opcode: Opcode::MathFma, attr: None, n_operands: 3, result: ty });
            cases.push(Case { opcode: Opcode::ArithSelect, attr: None, n_operands: 3, result: ty });
            for predicate in 0..16 {
                let attr = Some(("predicate", ir.i64_attr(predicate)));
                cases.push(Case { opcode: Opcode::ArithCmpf, attr, n_operands: 2, result: Scalar::Int(1) });
            }
            cases
        });
        check(&kernel, &name);
    }
}

/// Functions as the chip approximates them, where that is asked for.
#[test]
fn approximations() {
    for float in [Float::F16, Float::BF16, Float::F32] {
        let ty = Scalar::Float(float);
        let name = format!("approximations_{}", float.keyword());
        let kernel = kernel(&name, ty, false, |_| {
            [
                Opcode::MathExp,
                Opcode::MathExp2,
                Opcode::MathLog,
                Opcode::MathLog2,
                Opcode::MathRsqrt,
                Opcode::MathTanh,
                Opcode::MathSin,
                Opcode::MathCos,
            ]
            .map(|opcode| Case { opcode, attr: None, n_operands: 1, result: ty })
            .into()
        });
        assert_eq!(kernel.emit().unwrap_err().code, raddle_ir::Code::CannotEmit);
        let mut options = ptx::Options::default();
        options.fast_math = true;
        assemble(&name, &kernel.emit_with("sm_80", &options).unwrap());
    }
}

/// Conversions of 8-bit floats on chips that have instructions for them.
#[test]
fn small_floats() {
    for small in [Float::F8E4M3FN, Float::F8E5M2] {
        let name = format!("small_floats_{}", small.keyword());
        let kernel = kernel(&name, Scalar::Float(Float::F32), false, |_| {
            vec![Case { opcode: Opcode::ArithTruncf, attr: None, n_operands: 1, result: Scalar::Float(small) }]
        });
        assemble_for("sm_90", &name, &kernel.emit_for("sm_90").unwrap());
        let name = format!("from_small_{}", small.keyword());
        let kernel = self::kernel(&name, Scalar::Float(small), false, |_| {
            vec![Case { opcode: Opcode::ArithExtf, attr: None, n_operands: 1, result: Scalar::Float(Float::F32) }]
        });
        assemble_for("sm_89", &name, &kernel.emit_for("sm_89").unwrap());
    }
}

/// Integer arithmetic and comparison, for widths that fill a register and widths that do not, and both kinds of index.
#[test]
fn integers() {
    let widths = [1, 4, 8, 16, 24, 32, 48, 64].map(Scalar::Int);
    let types = widths.into_iter().chain([Scalar::Index, Scalar::Index]).enumerate();
    for (i, ty) in types {
        let big = i == 9;
        let name = format!("integers_{ty}{}", if big { "_wide" } else { "" });
        let kernel = kernel(&name, ty, big, |ir| {
            let mut cases = Vec::new();
            for opcode in [
                Opcode::ArithAddi,
                Opcode::ArithSubi,
                Opcode::ArithMuli,
                Opcode::ArithDivsi,
                Opcode::ArithDivui,
                Opcode::ArithCeildivsi,
                Opcode::ArithCeildivui,
                Opcode::ArithFloordivsi,
                Opcode::ArithRemsi,
                Opcode::ArithRemui,
                Opcode::ArithAndi,
                Opcode::ArithOri,
                Opcode::ArithXori,
                Opcode::ArithShli,
                Opcode::ArithShrsi,
                Opcode::ArithShrui,
                Opcode::ArithMaxsi,
                Opcode::ArithMaxui,
                Opcode::ArithMinsi,
                Opcode::ArithMinui,
            ] {
                cases.push(Case { opcode, attr: None, n_operands: 2, result: ty });
            }
            for opcode in [Opcode::MathAbsi, Opcode::MathCtlz, Opcode::MathCttz, Opcode::MathCtpop] {
                cases.push(Case { opcode, attr: None, n_operands: 1, result: ty });
            }
            cases.push(Case { opcode: Opcode::ArithSelect, attr: None, n_operands: 3, result: ty });
            for predicate in 0..10 {
                let attr = Some(("predicate", ir.i64_attr(predicate)));
                cases.push(Case { opcode: Opcode::ArithCmpi, attr, n_operands: 2, result: Scalar::Int(1) });
            }
            cases
        });
        check(&kernel, &name);
    }
}

/// Conversions from each type to each other one that MLIR allows.
#[test]
fn conversions() {
    let floats = [Float::F16, Float::BF16, Float::F32, Float::F64];
    let widths = [1, 4, 8, 16, 24, 32, 48, 64];
    let case = |opcode, result| Case { opcode, attr: None, n_operands: 1, result };
    for from in floats {
        let name = format!("from_{}", from.keyword());
        let kernel = kernel(&name, Scalar::Float(from), false, |_| {
            let mut cases = Vec::new();
            for to in floats {
                if to.bits() != from.bits() {
                    cases.push(case(
                        if to.bits() > from.bits() { Opcode::ArithExtf } else { Opcode::ArithTruncf },
                        Scalar::Float(to),
                    ));
                } else {
                    cases.push(case(Opcode::ArithBitcast, Scalar::Float(to)));
                }
            }
            for width in widths {
                cases.extend([Opcode::ArithFptosi, Opcode::ArithFptoui].map(|opcode| case(opcode, Scalar::Int(width))));
            }
            cases.push(case(Opcode::ArithBitcast, Scalar::Int(from.bits())));
            cases
        });
        check(&kernel, &name);
    }
    for from in widths {
        let name = format!("from_i{from}");
        let kernel = kernel(&name, Scalar::Int(from), false, |_| {
            let mut cases = Vec::new();
            for to in floats {
                cases.extend([Opcode::ArithSitofp, Opcode::ArithUitofp].map(|opcode| case(opcode, Scalar::Float(to))));
                if to.bits() == from {
                    cases.push(case(Opcode::ArithBitcast, Scalar::Float(to)));
                }
            }
            for to in widths {
                if to > from {
                    cases.extend([Opcode::ArithExtsi, Opcode::ArithExtui].map(|opcode| case(opcode, Scalar::Int(to))));
                } else if to < from {
                    cases.push(case(Opcode::ArithTrunci, Scalar::Int(to)));
                }
            }
            cases.extend([Opcode::ArithIndexCast, Opcode::ArithIndexCastui].map(|opcode| case(opcode, Scalar::Index)));
            cases
        });
        check(&kernel, &name);
    }
    for big in [false, true] {
        let name = if big { "from_index_wide" } else { "from_index" };
        let kernel = kernel(name, Scalar::Index, big, |_| {
            widths
                .iter()
                .flat_map(|&to| {
                    [Opcode::ArithIndexCast, Opcode::ArithIndexCastui].map(|opcode| case(opcode, Scalar::Int(to)))
                })
                .collect()
        });
        check(&kernel, name);
    }
}

/// Moves between lanes: every mode, width and type, with and without the second result.
#[test]
fn shuffles() {
    let floats = [Float::F16, Float::BF16, Float::F32, Float::F64].map(Scalar::Float);
    for ty in [1, 8, 16, 32, 64].map(Scalar::Int).into_iter().chain(floats) {
        let name = format!("shuffles_{ty}");
        let kernel = Kernel::new(
            &name,
            |ir| {
                let (ty, i1) = (type_of(ir, ty), ir.int_type(1));
                vec![global(ir, THREADS, ty), global(ir, 64 * THREADS, ty), global(ir, 64 * THREADS, i1)]
            },
            THREADS,
        );
        let kernel = kernel.body(|b, args| {
            let thread = thread_id(b);
            let value = load(b, args[0], thread);
            let mut at = 0;
            for mode in ["xor", "idx", "up", "down"] {
                for (offset, width) in [(1, 32), (5, 32), (1, 4), (3, 16)] {
                    let (moved, valid) = shuffle(b, mode, value, offset, width);
                    let place = with(b, Opcode::ArithAddi, thread, at * THREADS);
                    store(b, moved, args[1], place);
                    if at % 2 == 0 {
                        store(b, valid, args[2], place);
                    }
                    at += 1;
                }
            }
        });
        check(&kernel, &name);
    }
}

/// Vectors from 2 to 16 bytes and beyond, of every element type, taken apart, turned round and put together.
#[test]
fn vectors() {
    let floats = [Float::F16, Float::BF16, Float::F32, Float::F64].map(Scalar::Float);
    for ty in [8, 16, 32, 64].map(Scalar::Int).into_iter().chain(floats) {
        let name = format!("vectors_{ty}");
        let kernel = Kernel::new(
            &name,
            |ir| {
                let ty = type_of(ir, ty);
                vec![global(ir, 1024 * THREADS, ty); 2]
            },
            THREADS,
        );
        let kernel = kernel.body(|b, args| {
            let element = type_of(b.ir, ty);
            let buffer = shared(b, 16 * THREADS, element);
            let thread = thread_id(b);
            for n in [1, 2, 3, 4, 8, 16].into_iter().filter(|&n| n * i64::from(ty.bits()) <= 128) {
                let at = with(b, Opcode::ArithMuli, thread, n);
                let at = with(b, Opcode::ArithAddi, at, n * 16 * THREADS);
                let vector = vector_load(b, args[0], at, n);
                let own = with(b, Opcode::ArithMuli, thread, n);
                vector_store(b, vector, buffer, own);
                let vector = vector_load(b, buffer, own, n);
                let mut elements = to_elements(b, vector);
                elements.reverse();
                let vector = from_elements(b, &elements, &[n]);
                vector_store(b, vector, args[1], at);
            }
        });
        check(&kernel, &name);
    }
}

/// Loops and branches that carry every type, swap what they carry, or never run.
#[test]
fn control_flow() {
    let floats = [Float::F16, Float::BF16, Float::F32, Float::F64].map(Scalar::Float);
    for ty in [1, 8, 32, 64].map(Scalar::Int).into_iter().chain(floats).chain([Scalar::Index]) {
        let name = format!("control_flow_{ty}");
        let kernel = Kernel::new(
            &name,
            |ir| {
                let (ty, index) = (type_of(ir, ty), ir.index_type());
                vec![global(ir, 2 * THREADS, ty), global(ir, 8 * THREADS, ty), index]
            },
            THREADS,
        );
        let kernel = kernel.body(|b, args| {
            let thread = thread_id(b);
            let next = with(b, Opcode::ArithAddi, thread, THREADS);
            let inits = [load(b, args[0], thread), load(b, args[0], next)];
            let (zero, one) = (b.index(0), b.index(1));
            let swap = |_: &mut Builder<'_>, _, x: &[ValueId]| vec![x[1], x[0]];
            let swapped = b.for_loop(zero, args[2], one, &inits, swap);
            let swapped: Vec<ValueId> = b.ir.results(swapped).collect();
            let never = b.for_loop(one, zero, one, &swapped, swap);
            let never: Vec<ValueId> = b.ir.results(never).collect();
            let low = compare(b, 6, thread, args[2]);
            let element = type_of(b.ir, ty);
            let chosen = b.op(Opcode::ScfIf, &[low], &[element, element], &[]);
            for values in [[never[0], swapped[0]], [inits[1], inits[0]]] {
                let region = b.ir.add_region(chosen);
                let block = b.ir.add_block(region, &[]);
                Builder::at_end(b.ir, block, b.span).op(Opcode::ScfYield, &values, &[], &[]);
            }
            let chosen: Vec<ValueId> = b.ir.results(chosen).collect();
            for (i, value) in swapped.into_iter().chain(never).chain(chosen).enumerate() {
                let at = with(b, Opcode::ArithAddi, thread, i as i64 * THREADS);
                store(b, value, args[1], at);
            }
        });
        check(&kernel, &name);
    }
}

/// Constants of every type wherever a value may stand: where PTX has no immediate for them, they get a register.
#[test]
fn constants() {
    let floats = [Float::F16, Float::BF16, Float::F32, Float::F64].map(Scalar::Float);
    for ty in [1, 8, 16, 32, 64].map(Scalar::Int).into_iter().chain(floats).chain([Scalar::Index]) {
        let name = format!("constants_{ty}");
        let kernel = Kernel::new(
            &name,
            |ir| {
                let (ty, i1) = (type_of(ir, ty), ir.int_type(1));
                vec![global(ir, 64 * THREADS, ty), global(ir, 64 * THREADS, i1)]
            },
            THREADS,
        );
        let kernel = kernel.body(|b, args| {
            let thread = thread_id(b);
            let element = type_of(b.ir, ty);
            let i1 = b.ir.int_type(1);
            let is_float = matches!(ty, Scalar::Float(_));
            let x = if is_float { b.float(-1.5, element) } else { b.int(-1, element) };
            let y = if is_float { b.float(0.25, element) } else { b.int(1, element) };
            let condition = b.int(1, i1);
            let mut values = vec![x];
            values.push(b.value(Opcode::ArithSelect, &[condition, x, y], element, &[]));
            values.push(b.binary(if is_float { Opcode::ArithAddf } else { Opcode::ArithAddi }, x, y));
            values.push(b.binary(if is_float { Opcode::ArithMaximumf } else { Opcode::ArithMaxsi }, x, y));
            if is_float {
                values.push(b.value(Opcode::ArithNegf, &[x], element, &[]));
                values.push(b.value(Opcode::MathSqrt, &[y], element, &[]));
            } else {
                values.push(b.binary(Opcode::ArithShrsi, x, y));
                values.push(b.binary(Opcode::ArithFloordivsi, x, y));
            }
            values.push(shuffle(b, "idx", x, 0, 32).0);
            let (zero, ten, one) = (b.index(0), b.index(10), b.index(1));
            let carried = b.for_loop(zero, ten, one, &[x, y], |_, _, carried| vec![carried[1], x]);
            values.extend(b.ir.results(carried));
            let chosen = b.op(Opcode::ScfIf, &[condition], &[element], &[]);
            for value in [x, y] {
                let region = b.ir.add_region(chosen);
                let block = b.ir.add_block(region, &[]);
                Builder::at_end(b.ir, block, b.span).op(Opcode::ScfYield, &[value], &[], &[]);
            }
            values.extend(b.ir.results(chosen));
            for (i, value) in values.into_iter().enumerate() {
                let at = with(b, Opcode::ArithAddi, thread, i as i64 * THREADS);
                store(b, value, args[0], at);
            }
            if ty.bits() >= 8 {
                for n in [1, 2, 4, 8].into_iter().filter(|&n| n * i64::from(ty.bits()) <= 128) {
                    let elements: Vec<ValueId> = (0..n).map(|i| if i % 3 == 0 { y } else { x }).collect();
                    let vector = from_elements(b, &elements, &[n]);
                    let at = with(b, Opcode::ArithMuli, thread, n);
                    let at = with(b, Opcode::ArithAddi, at, (16 + 8 * n) * THREADS);
                    if ty != Scalar::Index {
                        vector_store(b, vector, args[0], at);
                    }
                }
            }
            let predicate = b.ir.i64_attr(3);
            let compare = if is_float { Opcode::ArithCmpf } else { Opcode::ArithCmpi };
            let bit = b.value(compare, &[x, y], i1, &[("predicate", predicate)]);
            store(b, bit, args[1], thread);
        });
        check(&kernel, &name);
    }
}

/// Every matrix instruction of every NVIDIA chip, twice in a chain, on fragments from memory.
#[test]
fn matrix_instructions() {
    for chip in CHIPS.iter().filter(|chip| chip.vendor == Vendor::Nvidia) {
        for mma in chip.mmas.iter().map(|name| mma(name).unwrap()).filter(|mma| mma.opcode == Opcode::NvgpuMmaSync) {
            let slots = [0, 1, 2].map(|operand| mma.fragments[operand].n_slots());
            let name = format!("{}_{}", mma.name, chip.name);
            let kernel = Kernel::new(
                &name,
                |ir| {
                    let [a, b, c] = mma.types.map(|ty| type_of(ir, ty));
                    let mut args: Vec<TypeId> =
                        [a, b, c].iter().zip(slots).map(|(&ty, n)| global(ir, 32 * n, ty)).collect();
                    args.push(args[2]);
                    args
                },
                32,
            );
            let kernel = kernel.body(|b, args| {
                let thread = thread_id(b);
                let mut fragments = Vec::new();
                for operand in 0..3 {
                    let n = slots[operand];
                    let at = with(b, Opcode::ArithMuli, thread, n);
                    // A fragment comes in pieces of at most 16 bytes.
                    let piece = n.min(128 / i64::from(mma.types[operand].bits()));
                    let mut elements = Vec::new();
                    for start in (0..n).step_by(piece as usize) {
                        let at = with(b, Opcode::ArithAddi, at, start);
                        let vector = vector_load(b, args[operand], at, piece);
                        elements.extend(to_elements(b, vector));
                    }
                    let per_row = mma.fragments[operand].element.iter().product::<i64>();
                    fragments.push(from_elements(b, &elements, &[n / per_row, per_row]));
                }
                let shape = b.ir.i64_array(&[mma.m, mma.n, mma.k]);
                let ty = b.ir.type_of(fragments[2]);
                for _ in 0..2 {
                    fragments[2] = b.value(Opcode::NvgpuMmaSync, &fragments, ty, &[("mmaShape", shape)]);
                }
                let at = with(b, Opcode::ArithMuli, thread, slots[2]);
                let elements = to_elements(b, fragments[2]);
                for (i, element) in elements.into_iter().enumerate() {
                    let at = with(b, Opcode::ArithAddi, at, i as i64);
                    store(b, element, args[3], at);
                }
            });
            let text = kernel.emit_for(chip.name).unwrap_or_else(|diag| panic!("{name}: {diag}: {}", diag.label));
            assert_eq!(text.matches(mma.mnemonic).count(), 2);
            assemble_for(chip.name, &name, &text);
        }
    }
}

/// Atomic accesses of global and shared memory, with and without the old element: those that the chip has assemble, and
/// the others are refused by name.
#[test]
fn atomics() {
    let types = [Scalar::Int(32), Scalar::Int(64)]
        .into_iter()
        .chain([Float::F16, Float::BF16, Float::F32, Float::F64].map(Scalar::Float));
    let mut has = Vec::new();
    for ty in types {
        for kind in 0..16 {
            let name = format!("atomic_{kind}_{ty}");
            let kernel = Kernel::new(
                &name,
                |ir| {
                    let ty = type_of(ir, ty);
                    vec![global(ir, THREADS, ty); 2]
                },
                THREADS,
            );
            let kernel = kernel.body(|b, args| {
                let (thread, elem) = (thread_id(b), type_of(b.ir, ty));
                let buffer = shared(b, THREADS, elem);
                let value = load(b, args[0], thread);
                store(b, value, buffer, thread);
                let kind = b.ir.i64_attr(kind);
                for base in [args[1], buffer] {
                    let place = with(b, Opcode::ArithShrui, thread, 2);
                    let attrs = [("kind", kind)];
                    b.value(Opcode::MemrefAtomicRmw, &[value, base, place], elem, &attrs);
                    let old = b.value(Opcode::MemrefAtomicRmw, &[value, base, place], elem, &attrs);
                    store(b, old, args[1], thread);
                }
            });
            for chip in ["sm_80", "sm_90"] {
                match kernel.emit_for(chip) {
                    Ok(text) => {
                        assemble_for(chip, &name, &text);
                        has.push(format!("{kind} {ty} {chip}"));
                    }
                    Err(diag) => assert!(diag.label.starts_with("PTX has no atomic"), "{diag}: {}", diag.label),
                }
            }
        }
    }
    // Sums of four formats (bf16 on sm_90), eight kinds of both integers, and exchanges of four types.
    assert_eq!(has.len(), (2 * 3 + 1) + 2 * 2 * 8 + 2 * 4, "{has:?}");
}

/// What a quotient of 1 by a number of f16 rests on: 1 ULP of f32 beside the reciprocal, it is rounded to f16 alike.
#[test]
fn reciprocals_of_f16_are_rounded_alike() {
    for bits in 0x0001..0x7C00u16 {
        let number = raddle_ir::float::decode(Float::F16, u64::from(bits));
        let exact = 1.0 / number;
        let nearest = exact as f32;
        for near in [nearest.next_down(), nearest, nearest.next_up()] {
            let [near, exact] = [f64::from(near), exact].map(|value| raddle_ir::float::round(Float::F16, value));
            assert_eq!(near, exact, "1 / {number}");
        }
    }
}
