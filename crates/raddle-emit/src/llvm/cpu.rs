//! The dialect of CPUs: a workgroup is one thread, the grid is loops around it, and what GPUs share lies on the stack.
//!
//! A kernel is a function of C. `NAME$packed` takes the same arguments by one array, for programs that learn the
//! signature when they run: a pointer to each buffer, and to each scalar.

use raddle_ir::{Diag, Expr, OpId, Opcode};
use raddle_target::{Chip, Mma};

use super::convert::resize_int;
use super::dialect::{Dialect, Intrinsic, Source};
use super::module::expression_of;
use super::value::{Cx, Label};
use crate::kernel;

/// A core; the triple and the processor are the chip's.
pub(super) static DIALECT: Dialect = Dialect {
    triple: "x86_64-unknown-linux-gnu",
    convention: "",
    global: 0,
    shared: 0,
    shared_is_global: false,
    thread_id,
    block_id,
    device_scope: "",
    workgroup_scope: "",
    barrier: None,
    shared_fence: "!{}",
    approximations: &[],
    module_flags: &["!{i32 8, !\"PIC Level\", i32 2}"],
    lane: |_| "0".to_owned(),
    fetch: |_, word, _: Source<'_>| word.to_owned(),
    ballot: |_, bit| bit.to_owned(),
    matrix,
    attributes,
};

/// The same for another architecture.
pub(super) static ARM: Dialect = Dialect { triple: "aarch64-unknown-linux-gnu", ..DIALECT };

/// What LLVM calls the processor.
pub(super) fn processor(chip: &'static Chip) -> &'static str {
    if chip.name == "aarch64" { "generic" } else { chip.name }
}

fn thread_id(_: &mut Cx<'_>, _: &str) -> String {
    "0".to_owned()
}

fn block_id(cx: &mut Cx<'_>, dim: &str) -> String {
    let at = ["x", "y", "z"].iter().position(|&name| name == dim).expect("a grid has three dimensions");
    cx.workgroup[at].clone()
}

fn matrix(cx: &Cx<'_>, op: OpId, _: &Mma) -> Result<Intrinsic, Diag> {
    Err(cx.cannot(op, "the machine has no matrix instructions"))
}

fn attributes(cx: &Cx<'_>, _: Option<u32>) -> String {
    let chip = cx.lowered.chip();
    let bits = 32 * chip.native.map_or(4, |native| native.lanes);
    format!("\"target-cpu\"=\"{}\" \"prefer-vector-width\"=\"{bits}\"", processor(chip))
}

/// Opens the loops over the workgroups, x innermost; says where a workgroup goes when it is done.
pub(super) fn open_grid(cx: &mut Cx<'_>, func: OpId, types: &[String]) -> Result<Label, Diag> {
    let ty = cx.scalar_type(raddle_ir::Scalar::Index);
    let known = cx.ir.attr_id(func, "gpu.known_grid_size").and_then(|attr| cx.ir.ints(attr));
    let extents: Vec<Expr> = match known {
        Some(known) => known.into_iter().map(Expr::Const).collect(),
        None => match kernel::grid_exprs(cx.ir, func)? {
            Some(extents) => extents,
            // Whoever does not ask for its number is alone.
            None if !cx.ir.walk(func).into_iter().any(|op| cx.ir.opcode(op) == Opcode::GpuBlockId) => Vec::new(),
            None => {
                return Err(cx
                    .cannot(func, "nothing says how many workgroups there are")
                    .help("state `gpu.known_grid_size = array<i32: x, y, z>` on the function"));
            }
        },
    };
    let done = cx.new_block();
    let mut around = done;
    for at in (0..3).rev() {
        let extent = match extents.get(at) {
            None | Some(Expr::Const(1)) => continue,
            Some(extent) => extent,
        };
        let parameter = |cx: &mut Cx<'_>, number: u32| {
            let name = format!("%arg{number}");
            resize_int(cx, &name, &types[number as usize], "i64", true)
        };
        let extent = expression_of(cx, func, extent, &parameter)?;
        let extent = if extent.starts_with('%') { resize_int(cx, &extent, "i64", &ty, true) } else { extent };
        let (top, body, next) = (cx.new_block(), cx.new_block(), cx.new_block());
        let counter = cx.phi(top, ty.clone());
        cx.give(top, vec!["0".to_owned()]);
        cx.jump(top);
        cx.begin(top);
        let more = cx.compute(&format!("icmp slt {ty} {counter}, {extent}"));
        cx.branch(&more, body, around);
        cx.begin(next);
        let step = cx.compute(&format!("add nuw nsw {ty} {counter}, 1"));
        cx.give(top, vec![step]);
        cx.jump(top);
        cx.begin(body);
        cx.workgroup[at] = counter;
        around = next;
    }
    cx.grid_end = Some(done);
    Ok(around)
}

/// Ends the function behind its loops.
pub(super) fn close_grid(cx: &mut Cx<'_>) {
    let done = cx.grid_end.take().expect("the loops were opened");
    cx.begin(done);
    cx.inst("ret void");
}

/// The function that takes its arguments from an array.
pub(super) fn packed(name: &str, types: &[String]) -> String {
    let mut code = format!("define void @{name}$packed(ptr %args) nounwind {{\n");
    let mut operands = Vec::new();
    for (at, ty) in types.iter().enumerate() {
        code.push_str(&format!("  %p{at} = getelementptr ptr, ptr %args, i64 {at}\n"));
        code.push_str(&format!("  %a{at} = load ptr, ptr %p{at}\n"));
        if ty.starts_with("ptr") {
            operands.push(format!("ptr %a{at}"));
        } else {
            code.push_str(&format!("  %v{at} = load {ty}, ptr %a{at}, align 1\n"));
            operands.push(format!("{ty} %v{at}"));
        }
    }
    code.push_str(&format!("  call void @{name}({})\n  ret void\n}}\n", operands.join(", ")));
    code
}
