//! Layouts do not depend on the order of operations that do not depend on one another.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;

use raddle_ir::{Ir, OpId, parse, print};
use raddle_passes::{Facts, PASSES};
use raddle_target::{chip, stage};

use crate::programs::{Program, Rng};

/// Shuffles the operations of every block, each behind what it uses; those with effects keep their order.
fn shuffle(ir: &mut Ir, func: OpId, rng: &mut Rng) {
    let mut blocks = vec![ir.entry(func)];
    for op in ir.walk(func) {
        blocks.extend(ir.regions(op).iter().flat_map(|&region| ir.blocks(region).to_vec()));
    }
    for block in blocks {
        let mut left = ir.ops_of(block);
        let end = left.pop().unwrap();
        let acts = |ir: &Ir, op: OpId| !ir.opcode(op).info().is_pure();
        while !left.is_empty() {
            let ready: Vec<usize> = (0..left.len())
                .filter(|&i| {
                    let inside = ir.walk(left[i]);
                    let mut used = inside.iter().chain([&left[i]]).flat_map(|&op| ir.operands(op));
                    let waits =
                        used.any(|&value| ir.def_op(value).is_some_and(|def| left.contains(&def) && def != left[i]));
                    !(waits || acts(ir, left[i]) && left[..i].iter().any(|&before| acts(ir, before)))
                })
                .collect();
            let op = left.remove(ready[rng.below(ready.len())]);
            ir.detach(op);
            ir.append(block, op);
        }
        ir.detach(end);
        ir.append(block, end);
    }
}

/// What analysis says about each operation of a text, by the number that the operation carries.
fn layouts(text: &str) -> BTreeMap<i64, Vec<String>> {
    let mut ir = parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let func = ir.funcs()[0];
    let lay_out = PASSES.iter().find(|pass| pass.stage == Some(raddle_target::Stage::LaidOut)).unwrap();
    lay_out.run(&mut ir, func, &Facts::new(chip("sm_80").unwrap())).unwrap_or_else(|diag| panic!("{diag:?}\n{text}"));
    assert_eq!(stage::of(&ir, func), raddle_target::Stage::LaidOut);
    let mut found: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for op in ir.walk(func) {
        if let (Some(number), Some(layouts)) = (ir.attr(op, "number"), ir.attr_id(op, "layouts")) {
            let text = raddle_ir::print_attr(&ir, layouts);
            found.entry(number.as_i64().unwrap()).or_default().push(text);
        }
    }
    // An operation that is made again says both layouts, in any order.
    found.values_mut().for_each(|list| list.sort());
    found
}

/// Random kernels, each in several orders: every operation has the same layouts in all of them.
#[test]
fn the_order_of_operations_does_not_matter() {
    for seed in 0..60 {
        let mut rng = Rng(seed * 7919 + 5);
        let n_subgroups = rng.pick(&[1, 2, 4]);
        let kernel = Program::kernel(Rng(seed * 104_729 + 1), 32, n_subgroups, "f32");
        let mut ir = parse(&kernel.text).unwrap();
        let func = ir.funcs()[0];
        for (number, op) in (0..).zip(ir.walk(func)) {
            let number = ir.i64_attr(number);
            ir.set_attr(op, "number", number);
        }
        let want = layouts(&print(&ir, &Default::default()));
        for _ in 0..4 {
            shuffle(&mut ir, func, &mut rng);
            let text = print(&ir, &Default::default());
            assert_eq!(layouts(&text), want, "seed {seed}\n{text}");
        }
    }
}
