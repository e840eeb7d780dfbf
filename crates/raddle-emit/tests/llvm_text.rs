//! LLVM IR of small kernels: what decides how good the machine code is.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_ir::Diag;
use raddle_target::{Lowered, chip};

/// The LLVM IR of a kernel with this body, in a workgroup of four subgroups.
fn emit(name: &str, args: &str, body: &str) -> Result<String, Diag> {
    let chip = chip(name).unwrap();
    let lanes = chip.subgroup_size;
    let text = format!(
        "func.func @kernel({args}) attributes {{translation_info = #iree_codegen.translation_info<
             pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{}, 1, 1] subgroup_size = {lanes}>}} {{
           %t = gpu.thread_id x
           {body}
           return
         }}",
        4 * lanes
    );
    let ir = raddle_ir::parse(&text).map_err(|diags| diags[0].clone())?;
    let lowered = Lowered::check(&ir, ir.funcs()[0], chip)?;
    raddle_emit::llvm::emit(&ir, &lowered)
}

/// An accumulator that lowering carries element by element is one value of the loop, without a move in it.
#[test]
fn loops_carry_accumulators_as_vectors() {
    let body = "
        %zero = arith.constant 0.0 : f32
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %a = vector.load %m[%t] : memref<1024xf16>, vector<4xf16>
        %r:4 = scf.for %i = %c0 to %c8 step %c1 iter_args(%w = %zero, %x = %zero, %y = %zero, %z = %zero)
            -> (f32, f32, f32, f32) {
          %v = vector.from_elements %w, %x, %y, %z : vector<4xf32>
          %d = amdgpu.mfma 16x16x16 %a * %a + %v blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
          %e:4 = vector.to_elements %d : vector<4xf32>
          scf.yield %e#0, %e#1, %e#2, %e#3 : f32, f32, f32, f32
        }
        memref.store %r#2, %n[%t] : memref<1024xf32>";
    let text = emit("gfx942", "%m: memref<1024xf16>, %n: memref<1024xf32>", body).unwrap();
    assert_eq!(text.matches("phi <4 x float>").count(), 2, "{text}");
    assert!(!text.contains("phi float") && !text.contains("insertelement"), "{text}");
}

/// A flip of lanes is an instruction of the machine, and a general move a permutation.
#[test]
fn shuffles_are_moves_of_the_machine() {
    let shuffle = |chip: &str, flip: u32| {
        let body = format!(
            "%x = memref.load %m[%t] : memref<256xf32>
             %by = arith.constant {flip} : i32
             %width = arith.constant {} : i32
             %y, %valid = gpu.shuffle xor %x, %by, %width : f32
             memref.store %y, %m[%t] : memref<256xf32>",
            raddle_target::chip(chip).unwrap().subgroup_size
        );
        let text = emit(chip, "%m: memref<256xf32>", &body).unwrap();
        let calls = text.lines().filter(|line| line.contains("call i32 @") && !line.contains("workitem"));
        calls.map(|line| line.split_once("@llvm.amdgcn.").unwrap().1.split('(').next().unwrap().to_owned()).collect()
    };
    let of = |chip: &str, flip: u32| -> Vec<String> { shuffle(chip, flip) };
    assert_eq!(of("gfx942", 1), ["update.dpp.i32"]);
    assert_eq!(of("gfx942", 8), ["update.dpp.i32"]);
    // A mirror of half a row flips the two lower bits, too.
    assert_eq!(of("gfx942", 4), ["update.dpp.i32", "update.dpp.i32"]);
    assert_eq!(of("gfx942", 16), ["ds.swizzle"]);
    assert_eq!(of("gfx942", 32), ["mbcnt.lo", "mbcnt.hi", "ds.bpermute"]);
    assert_eq!(of("gfx1100", 4), ["update.dpp.i32"]);
    assert_eq!(of("gfx1100", 21), ["permlanex16.i32"]);
}

/// A barrier in front of the only writes of results has shared memory to order, and no other.
#[test]
fn barriers_leave_global_loads_on_their_way() {
    let fences = |stores_in_front: bool| {
        let store = "memref.store %x, %n[%t] : memref<256xf32>";
        let body = format!(
            "%x = memref.load %m[%t] : memref<256xf32>
             {}
             %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
             memref.store %x, %s[%t] : memref<256xf32, #gpu.address_space<workgroup>>
             gpu.barrier
             {store}",
            if stores_in_front { store } else { "" }
        );
        emit("gfx1100", "%m: memref<256xf32>, %n: memref<256xf32>", &body).unwrap()
    };
    let free = fences(false);
    assert_eq!((free.matches("fence ").count(), free.matches(", !mmra !3").count()), (2, 2), "{free}");
    assert_eq!(fences(true).matches(", !mmra !3").count(), 0);
}

/// LLVM may not take a division by zero in a lane that nobody reads as a promise about all lanes.
#[test]
fn divisors_are_never_zero() {
    let divide = |divisor: &str| {
        let body = format!(
            "%x = memref.load %m[%t] : memref<256xi32>
             %c3 = arith.constant 3 : i32
             %y = arith.divui %x, {divisor} : i32
             memref.store %y, %m[%t] : memref<256xi32>"
        );
        emit("gfx942", "%m: memref<256xi32>", &body).unwrap()
    };
    assert!(divide("%x").contains("select i1"));
    assert!(!divide("%c3").contains("select i1"));
}

/// An index that is not negative is widened with zeros, so that the base of a buffer stays in scalar registers.
#[test]
fn offsets_of_buffers_have_32_bits() {
    let body = "
        %b = gpu.block_id x
        %c256 = arith.constant 256 : index
        %o = arith.muli %b, %c256 : index
        %i = arith.addi %o, %t : index
        %x = memref.load %m[%i] : memref<65536xf32>
        %j = arith.subi %i, %c256 : index
        memref.store %x, %m[%j] : memref<65536xf32>";
    let text = emit("gfx942", "%m: memref<65536xf32>", body).unwrap();
    assert_eq!((text.matches("zext i32").count(), text.matches("sext i32").count()), (1, 1), "{text}");
}

/// Chips that have no emitter of LLVM IR are refused with a target that has.
#[test]
fn other_chips_are_refused() {
    let diag = emit("sm_80", "%m: memref<256xf32>", "").unwrap_err();
    assert!(diag.message.contains("sm_80"), "{}", diag.message);
}
