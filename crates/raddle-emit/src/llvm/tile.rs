//! Tile registers of Intel AMX (`raddle.tile_*`), which are values of LLVM's type `x86_amx`.
//!
//! LLVM gives them registers and says what shapes these have (`ldtilecfg`). A process asks Linux before it uses them, once:
//! a kernel that has some calls a function of its own for this.

use raddle_ir::views::TileRegister;
use raddle_ir::{Diag, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_target::{Dot, Leaf, leaf};

use super::convert::resize_int;
use super::memory;
use super::value::{Cx, Held};

/// LLVM's type.
pub(super) const TYPE: &str = "x86_amx";

const LOAD: &str = "llvm.x86.tileloadd64.internal";

/// Whether a kernel uses tile registers.
pub(super) fn are_used(ir: &Ir, func: OpId) -> bool {
    ir.walk(func).into_iter().any(|op| leaf(ir, op) == Some(Leaf::Tile))
}

/// Asks for the registers, before anything else is done.
pub(super) fn ask(cx: &mut Cx<'_>) {
    let callee = asking(&cx.entry);
    cx.inst(&format!("call void @{callee}()"));
}

fn asking(name: &str) -> String {
    format!("{name}$tiles")
}

/// The function that asks: `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`, system call 158 with 0x1023 and 18
/// (Linux, Documentation/arch/x86/xstate.rst). It is never inlined, so that LLVM configures the registers behind it.
pub(super) fn permission(name: &str) -> String {
    let callee = asking(name);
    format!(
        "\n@{callee}$asked = internal global i32 0\n\
         \ndefine internal void @{callee}() noinline nounwind {{\n  \
         %asked = load atomic i32, ptr @{callee}$asked monotonic, align 4\n  %first = icmp eq i32 %asked, 0\n  \
         br i1 %first, label %ask, label %end\n\nask:\n  \
         %error = call i64 asm sideeffect \"syscall\", \"={{rax}},{{rax}},{{rdi}},{{rsi}},~{{rcx}},~{{r11}},~{{memory}}\"(i64 158, i64 4131, i64 18)\n  \
         store atomic i32 1, ptr @{callee}$asked monotonic, align 4\n  br label %end\n\nend:\n  ret void\n}}\n"
    )
}

pub(super) fn operation(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let has_tiles = cx.lowered.chip().native.is_some_and(|native| native.tiles);
    if !has_tiles {
        let refused = cx.cannot(op, &format!("{} has no tile registers", cx.lowered.chip().name));
        return Err(refused.help("choose `--target=x86-64-v4-amx`"));
    }
    let operands = cx.ir.operands(op).to_vec();
    match (cx.ir.opcode(op), &operands[..]) {
        (Opcode::RaddleTileZero, []) => {
            let result = cx.ir.result(op, 0);
            cx.hold(result, Held::Zeros(extents(shape_of(cx, result))));
        }
        (Opcode::RaddleTileLoad, &[base, at, stride]) => {
            let result = cx.ir.result(op, 0);
            let place = place(cx, op, base, at, stride)?;
            let operands = [extents(shape_of(cx, result)), place].concat();
            let loaded = cx.call(TYPE, LOAD, &operands);
            cx.bind(result, loaded);
        }
        (Opcode::RaddleTileStore, &[value, base, at, stride]) => {
            let place = place(cx, op, base, at, stride)?;
            let stored = tile(cx, value);
            let operands = [extents(shape_of(cx, value)), place, vec![stored]].concat();
            cx.call("void", "llvm.x86.tilestored64.internal", &operands);
        }
        (Opcode::RaddleTileDot, &[a, b, c]) => {
            let result = cx.ir.result(op, 0);
            let dot = if shape_of(cx, c).elem == Scalar::Int(TileRegister::WORD) { Dot::Bytes } else { Dot::Bf16 };
            let function = match dot {
                Dot::Bytes => "llvm.x86.tdpbssd.internal",
                Dot::Bf16 | Dot::Shorts => "llvm.x86.tdpbf16ps.internal",
            };
            let ([m, n], [_, k]) = (shape_of(cx, c).shape, shape_of(cx, a).shape);
            let sizes = [m, bytes(n), bytes(k)].map(|extent| format!("i16 {extent}")).to_vec();
            // The intrinsic has the sum first.
            let operands = [sizes, [c, a, b].map(|value| tile(cx, value)).to_vec()].concat();
            let sum = cx.call(TYPE, function, &operands);
            cx.bind(result, sum);
        }
        _ => return Err(cx.cannot(op, "it is not an operation on tile registers")),
    }
    Ok(())
}

/// A register of zeros for one use. What LLVM makes once for several uses, or in front of a loop, it copies through memory:
/// these come from a line that nothing seems to know.
pub(super) fn zeros(cx: &mut Cx<'_>, shape: Vec<String>) -> String {
    let number = cx.fresh();
    let line = format!("@{}$zeros{}", cx.entry, number.trim_start_matches('%'));
    cx.declarations.insert(format!("{line} = internal global [64 x i8] zeroinitializer, align 64"));
    cx.inst(&format!("call void asm sideeffect \"\", \"r,~{{memory}}\"(ptr {line})"));
    let place = vec![format!("ptr addrspace(0) {line}"), "i64 0".to_owned()];
    cx.call(TYPE, LOAD, &[shape, place].concat())
}

fn shape_of(cx: &Cx<'_>, value: ValueId) -> TileRegister {
    TileRegister::of(cx.ir, cx.ir.type_of(value)).expect("the verifier asks for a tile register here")
}

fn bytes(words: i64) -> i64 {
    words * i64::from(TileRegister::WORD / 8)
}

/// Rows and bytes of a row, as LLVM's intrinsics take them.
fn extents(register: TileRegister) -> Vec<String> {
    let [rows, words] = register.shape;
    [rows, bytes(words)].map(|extent| format!("i16 {extent}")).to_vec()
}

fn tile(cx: &mut Cx<'_>, value: ValueId) -> String {
    format!("{TYPE} {}", cx.val(value))
}

/// Where the first row begins, and how many bytes the rows lie apart.
fn place(cx: &mut Cx<'_>, op: OpId, base: ValueId, at: ValueId, stride: ValueId) -> Result<Vec<String>, Diag> {
    let elem = cx.scalar(op, base)?;
    let buffer = cx.buffer(base);
    let (address, _) = memory::access(cx, op, buffer, &[at], elem)?;
    let (rows, ty) = (cx.val(stride), cx.type_of(stride));
    let rows = resize_int(cx, &rows, &ty, "i64", true);
    let rows = match rows.parse::<i64>() {
        Ok(rows) => (rows * elem.bytes() as i64).to_string(),
        Err(_) => cx.compute(&format!("mul i64 {rows}, {}", elem.bytes())),
    };
    Ok(vec![address, format!("i64 {rows}")])
}
