//! Value barriers that do not wait for one another become one, and every value stays what it was.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;
use std::fmt::Write;

use raddle_ir::{Def, Ir, Opcode, ValueId, parse, print, verify};
use raddle_passes::{Facts, PASSES};
use raddle_target::chip;

fn combined(text: &str) -> Ir {
    let mut ir = parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let func = ir.funcs()[0];
    let pass = PASSES.iter().find(|pass| pass.name == "combine-barriers").unwrap();
    pass.run(&mut ir, func, &Facts::new(chip("sm_80").unwrap())).unwrap();
    let problems = verify(&ir);
    assert!(problems.is_empty(), "{problems:?}\n{text}\n{}", print(&ir, &Default::default()));
    ir
}

/// What the function returns, as expressions over its arguments without barriers, and the most barriers on a way there.
fn meaning(ir: &Ir) -> Vec<(String, usize)> {
    fn of(ir: &Ir, value: ValueId, known: &mut BTreeMap<ValueId, (String, usize)>) -> (String, usize) {
        if let Some(known) = known.get(&value) {
            return known.clone();
        }
        let found = match ir.def(value) {
            Def::Arg { index, .. } => (format!("a{index}"), 0),
            Def::Result { op, index } if ir.opcode(op) == Opcode::IreeGpuValueBarrier => {
                let (text, n) = of(ir, ir.operand(op, index as usize), known);
                (text, n + 1)
            }
            Def::Result { op, .. } => {
                let parts: Vec<(String, usize)> = ir.operands(op).iter().map(|&value| of(ir, value, known)).collect();
                let text = parts.iter().map(|part| part.0.clone()).collect::<Vec<_>>().join(", ");
                (format!("({text})"), parts.iter().map(|part| part.1).max().unwrap_or(0))
            }
        };
        known.insert(value, found.clone());
        found
    }
    let end = ir.terminator(ir.entry(ir.funcs()[0])).unwrap();
    let mut known = BTreeMap::new();
    ir.operands(end).iter().map(|&value| of(ir, value, &mut known)).collect()
}

fn n_barriers(ir: &Ir) -> usize {
    ir.walk(ir.funcs()[0]).into_iter().filter(|&op| ir.opcode(op) == Opcode::IreeGpuValueBarrier).count()
}

/// Random programs of sums and barriers: what is returned stays, no way loses a barrier, and as many barriers are left as
/// the longest way has. A second time changes nothing.
#[test]
fn independent_barriers_become_one() {
    let mut seed = 7u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    for _ in 0..300 {
        let mut body = String::new();
        let mut values = vec!["%x".to_owned(), "%y".to_owned()];
        for i in 0..2 + below(14) {
            let (a, b) = (values[below(values.len())].clone(), values[below(values.len())].clone());
            let text = if below(2) == 0 {
                format!("iree_gpu.value_barrier {a} : vector<4xf32>")
            } else {
                format!("arith.addf {a}, {b} : vector<4xf32>")
            };
            writeln!(body, "  %v{i} = {text}").unwrap();
            values.push(format!("%v{i}"));
        }
        let types = vec!["vector<4xf32>"; values.len()].join(", ");
        let text = format!(
            "func.func @f(%x: vector<4xf32>, %y: vector<4xf32>) -> ({types}) {{\n{body}  return {} : {types}\n}}",
            values.join(", ")
        );
        let before = meaning(&parse(&text).unwrap());
        let ir = combined(&text);
        let after = meaning(&ir);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before.0, after.0, "{text}");
            assert!(before.1 <= after.1, "{text}");
        }
        let longest = before.iter().map(|value| value.1).max().unwrap();
        assert_eq!(n_barriers(&ir), longest, "{text}\n{}", print(&ir, &Default::default()));
        let once = print(&ir, &Default::default());
        assert_eq!(print(&combined(&once), &Default::default()), once);
    }
}

/// What acts on memory keeps its order, whatever is pulled together around it.
#[test]
fn effects_keep_their_order() {
    let text =
        "func.func @f(%x: vector<4xf32>, %m: memref<4xf32>, %a: f32, %b: f32) -> (vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %u = iree_gpu.value_barrier %x : vector<4xf32>
  %w = iree_gpu.value_barrier %u : vector<4xf32>
  %e = vector.extract %w[0] : f32 from vector<4xf32>
  memref.store %e, %m[%c0] : memref<4xf32>
  memref.store %a, %m[%c0] : memref<4xf32>
  %v = iree_gpu.value_barrier %x : vector<4xf32>
  memref.store %b, %m[%c0] : memref<4xf32>
  return %w, %v : vector<4xf32>, vector<4xf32>
}";
    let ir = combined(text);
    assert_eq!(n_barriers(&ir), 2);
    let stored = |ir: &Ir| -> Vec<String> {
        let ops = ir.walk(ir.funcs()[0]).into_iter().filter(|&op| ir.opcode(op) == Opcode::MemrefStore);
        ops.map(|op| raddle_ir::print_op(ir, op).split(',').next().unwrap().to_owned()).collect()
    };
    assert_eq!(stored(&ir).len(), 3);
    // The two stores of arguments come behind the one that waits, as they did.
    let printed = stored(&ir);
    assert!(printed[1].contains("%arg2") && printed[2].contains("%arg3"), "{printed:?}");
}
