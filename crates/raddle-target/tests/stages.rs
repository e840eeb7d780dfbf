//! Each stage is told by its operations, and its contract names the first operation that breaks it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_ir::{Code, Diag, Ir, OpId};
use raddle_target::{Lowered, Stage, chip, stage};

fn parse(text: &str) -> (Ir, OpId) {
    let ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let func = ir.funcs()[0];
    (ir, func)
}

const TENSOR: &str = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.addf %x, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}";

const VECTOR: &str = "func.func @f(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  return
}";

const DISTRIBUTED: &str = "func.func @f(%m: memref<4xf32>) {
  %t = gpu.thread_id x
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%t], %z {in_bounds = [true]} : memref<4xf32>, vector<1xf32>
  vector.transfer_write %v, %m[%t] {in_bounds = [true]} : vector<1xf32>, memref<4xf32>
  return
}";

const LOWERED: &str = "func.func @f(%m: memref<4xf32>) {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<4xf32>
  memref.store %x, %m[%t] : memref<4xf32>
  return
}";

/// Hand-written programs enter where their operations say.
#[test]
fn stages_are_told_by_their_operations() {
    for (text, want) in
        [(TENSOR, Stage::Tensor), (VECTOR, Stage::Vector), (DISTRIBUTED, Stage::Distributed), (LOWERED, Stage::Lowered)]
    {
        let (ir, func) = parse(text);
        assert_eq!(stage::of(&ir, func), want, "{text}");
        stage::check(&ir, func, want).unwrap();
    }
}

/// What belongs to another stage is named.
#[test]
fn contracts_name_what_breaks_them() {
    for (text, at, name) in [
        (TENSOR, Stage::Vector, "`arith.addf`"),
        (DISTRIBUTED, Stage::Vector, "`gpu.thread_id`"),
        (VECTOR, Stage::LaidOut, "`vector.transfer_read`"),
        (VECTOR, Stage::Lowered, "`vector.transfer_read`"),
        (TENSOR, Stage::Distributed, "`arith.addf`"),
    ] {
        let (ir, func) = parse(text);
        let diag = stage::check(&ir, func, at).unwrap_err();
        assert_eq!(diag.code, Code::NotAtStage);
        assert!(diag.message.contains(name), "{diag}");
    }
}

fn refused(args: &str, attrs: &str, body: &str) -> Diag {
    let (ir, func) = parse(&format!("func.func @f({args}) {attrs} {{\n{body}\nreturn\n}}"));
    Lowered::check(&ir, func, chip("sm_80").unwrap()).map(|_| ()).expect_err("this is refused")
}

/// Emitters may rely on each point of the contract.
#[test]
fn the_lowered_contract_is_strict() {
    for (args, body) in [
        ("%m: memref<4x4xf32>", ""),
        ("%m: memref<?x4xf32>", ""),
        ("", "%v = arith.constant dense<0.0> : vector<2xf32>"),
        ("%m: memref<64xf32>, %i: index", "%v = vector.load %m[%i] : memref<64xf32>, vector<8xf32>"),
        ("%x: f32", "%s = gpu.subgroup_reduce add %x : (f32) -> f32"),
        ("%i: index", "%j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)"),
        ("", "%l = gpu.lane_id"),
        ("%b: i1", "scf.if %b { %a = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>> }"),
        ("", "%a = memref.alloc() : memref<4xf32>"),
        (
            "%x: f32, %y: f32",
            "%v = vector.from_elements %x, %y : vector<2xf32>\n%w = arith.addf %v, %v : vector<2xf32>",
        ),
    ] {
        assert_eq!(refused(args, "", body).code, Code::NotAtStage, "{args} {body}");
    }
}

/// Chips have limits, and instructions of their own.
#[test]
fn chips_have_limits() {
    let diag = refused("", "", "%a = memref.alloc() : memref<200000xi8, #gpu.address_space<workgroup>>");
    assert_eq!(diag.code, Code::OverLimit);
    let info = "attributes {translation_info = #iree_codegen.translation_info<pipeline = \
                #iree_gpu.pipeline<VectorDistribute> workgroup_size = [2048, 1, 1] subgroup_size = 32>}";
    assert_eq!(refused("", info, "").code, Code::OverLimit);
    let mfma = "%a = vector.from_elements %x, %x, %x, %x : vector<4xf16>
                %c = vector.from_elements %y, %y, %y, %y : vector<4xf32>
                %d = amdgpu.mfma 16x16x16 %a * %a + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>";
    assert!(refused("%x: f16, %y: f32", "", mfma).message.contains("`amdgpu.mfma`"));
}

/// Blocks may jump to one another at the lowered stage; what they pass on are scalars.
#[test]
fn lowered_blocks_pass_on_scalars() {
    let of = |ty: &str, value: &str| {
        format!(
            "func.func @f(%m: memref<4xf32>, %b: i1) {{
  %t = gpu.thread_id x
  {value}
  cf.cond_br %b, ^out, ^next(%x : {ty})
^next(%y: {ty}):
  cf.br ^out
^out:
  return
}}"
        )
    };
    let (ir, func) = parse(&of("f32", "%x = memref.load %m[%t] : memref<4xf32>"));
    stage::check(&ir, func, Stage::Lowered).unwrap();
    Lowered::check(&ir, func, chip("sm_80").unwrap()).unwrap();
    let (ir, func) = parse(&of("vector<2xf32>", "%x = vector.load %m[%t] : memref<4xf32>, vector<2xf32>"));
    let diag = stage::check(&ir, func, Stage::Lowered).unwrap_err();
    assert_eq!(diag.code, Code::NotAtStage);
    assert!(diag.message.contains("vector.load"), "{}", diag.message);
}
