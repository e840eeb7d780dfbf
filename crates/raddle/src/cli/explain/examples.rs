//! For each diagnostic a command that gives it and one that does not: what `raddle explain` shows, and a test runs.

use raddle_ir::Code;

/// A command line and the text of the file `-` that it reads.
pub struct Attempt {
    /// The words behind `raddle`, parted by spaces.
    pub command: &'static str,
    /// Standard input; empty if nothing is read.
    pub text: &'static str,
}

/// Two attempts that differ in what a diagnostic is about.
pub struct Example {
    /// The diagnostic.
    pub code: Code,
    /// It is given here,
    pub fails: Attempt,
    /// and not here.
    pub works: Attempt,
}

/// The example of a code. A mistake in raddle has none.
pub fn of(code: Code) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.code == code)
}

/// One command on two texts.
const fn texts(code: Code, command: &'static str, fails: &'static str, works: &'static str) -> Example {
    Example { code, fails: Attempt { command, text: fails }, works: Attempt { command, text: works } }
}

/// Two commands on one text.
const fn commands(code: Code, fails: &'static str, works: &'static str, text: &'static str) -> Example {
    Example { code, fails: Attempt { command: fails, text }, works: Attempt { command: works, text } }
}

const TWO_PRODUCTS: &str = "\
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = linalg.matmul ins(%c, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}";

const MATMUL: &str = "\
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>)
                     outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}";

/// A dispatch that copies 64 numbers, with what it may do to its second binding.
macro_rules! dispatch {
    ($access:literal) => {
        concat!(
            "\
func.func @f() {
  %a = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
       binding(0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>>
  %b = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
       binding(1) : !iree_tensor_ext.dispatch.tensor<",
            $access,
            ":tensor<64xf32>>
  %t = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [64], strides = [1]
       : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>> -> tensor<64xf32>
  iree_tensor_ext.dispatch.tensor.store %t, %b, offsets = [0], sizes = [64], strides = [1]
       : tensor<64xf32> -> !iree_tensor_ext.dispatch.tensor<",
            $access,
            ":tensor<64xf32>>
  return
}"
        )
    };
}

const SPIN: &str = "\
func.func @f(%m: memref<1xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 100000 : index
  scf.for %i = %zero to %n step %one {
    memref.store %i, %m[%zero] : memref<1xindex>
  }
  return
}";

/// A program of one thread each: what stands in it, behind its first lines.
macro_rules! simt {
    ($threads:literal, $args:literal, $body:literal) => {
        concat!(
            "func.func @f(",
            $args,
            ") attributes {\n    gpu.known_grid_size = array<i32: 1, 1, 1>,\n    translation_info = \
             #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute>\n        workgroup_size = [",
            $threads,
            ", 1, 1] subgroup_size = 32>} {\n  %t = gpu.thread_id x\n",
            $body,
            "\n  return\n}"
        )
    };
}

/// A program on vectors of the whole workgroup with one layout.
macro_rules! kernel {
    ($tile:literal, $args:literal, $body:literal) => {
        concat!(
            "#row = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [",
            $tile,
            "],\n    outer_tile = [1], thread_tile = [32], element_tile = [2],\n    subgroup_strides = [0], \
             thread_strides = [1]>\nfunc.func @f(",
            $args,
            ") attributes {\n    translation_info = #iree_codegen.translation_info<pipeline = \
             #iree_gpu.pipeline<VectorDistribute>\n        workgroup_size = [32, 1, 1] subgroup_size = 32>} {\n  \
             %zero = arith.constant 0 : index\n  %pad = arith.constant 0.0 : f32\n",
            $body,
            "\n  return\n}"
        )
    };
}

const EXAMPLES: &[Example] = &[
    texts(Code::Syntax, "check -", "func.func @f( {\n  return\n}", "func.func @f() {\n  return\n}"),
    texts(
        Code::UnknownOp,
        "check -",
        "func.func @f(%x: f32) {\n  %y = arith.adf %x, %x : f32\n  return\n}",
        "func.func @f(%x: f32) {\n  %y = arith.addf %x, %x : f32\n  return\n}",
    ),
    texts(
        Code::Name,
        "check -",
        "func.func @f(%x: f32) {\n  %y = arith.addf %x, %z : f32\n  return\n}",
        "func.func @f(%x: f32, %z: f32) {\n  %y = arith.addf %x, %z : f32\n  return\n}",
    ),
    texts(
        Code::TypeMismatch,
        "check -",
        "func.func @f(%x: f32) -> f64 {\n  return %x : f64\n}",
        "func.func @f(%x: f64) -> f64 {\n  return %x : f64\n}",
    ),
    texts(
        Code::TooDeep,
        "check -",
        "#m = affine_map<(d0) -> ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((\
         ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((\
         (((((((((((((((((((((((((((((((((((((((((((((((((((((((((d0))>",
        "#m = affine_map<(d0) -> ((((d0))))>",
    ),
    texts(
        Code::BadLayout,
        "check -",
        "#l = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1], outer_tile = [1],\n    \
         thread_tile = [32], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>",
        "#l = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1],\n    \
         thread_tile = [32], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>",
    ),
    texts(
        Code::BadAttribute,
        "check -",
        "#l = #iree_map.pack_layout<(4, 8) : (8, -1)>",
        "#l = #iree_map.pack_layout<(4, 8) : (8, 1)>",
    ),
    texts(
        Code::BadOperation,
        "check -",
        "func.func @f(%x: vector<4x2xf32>) {\n  %y = vector.transpose %x, [0, 0] : vector<4x2xf32> to vector<4x4xf32>\n  return\n}",
        "func.func @f(%x: vector<4x2xf32>) {\n  %y = vector.transpose %x, [1, 0] : vector<4x2xf32> to vector<2x4xf32>\n  return\n}",
    ),
    texts(
        Code::NotDominated,
        "check -",
        "func.func @f(%x: f32) {\n  %y = arith.addf %x, %z : f32\n  %z = arith.addf %x, %x : f32\n  return\n}",
        "func.func @f(%x: f32) {\n  %z = arith.addf %x, %x : f32\n  %y = arith.addf %x, %z : f32\n  return\n}",
    ),
    texts(
        Code::BadStructure,
        "check -",
        "func.func @f(%x: f32) {\n  %y = arith.addf %x, %x : f32\n}",
        "func.func @f(%x: f32) {\n  %y = arith.addf %x, %x : f32\n  return\n}",
    ),
    texts(
        Code::LayoutMismatch,
        "check -",
        kernel!("3", "%v: vector<64xf32>", "  %w = iree_vector_ext.to_layout %v to layout(#row) : vector<64xf32>"),
        kernel!("1", "%v: vector<64xf32>", "  %w = iree_vector_ext.to_layout %v to layout(#row) : vector<64xf32>"),
    ),
    texts(
        Code::LayoutOverlap,
        "check -",
        "func.func @f(%v: vector<4x4xf32>) {\n  %w = iree_vector_ext.to_layout %v to layout(\
         #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], \
         thread_tile = [4, 4], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [1, 1]>) \
         : vector<4x4xf32>\n  return\n}",
        "func.func @f(%v: vector<4x4xf32>) {\n  %w = iree_vector_ext.to_layout %v to layout(\
         #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], \
         thread_tile = [4, 4], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [4, 1]>) \
         : vector<4x4xf32>\n  return\n}",
    ),
    texts(
        Code::BadTiles,
        "check -",
        "func.func @f(%x: f32, %t: tensor<64xf32>) -> tensor<64xf32> {\n  %r = linalg.fill {lowering_config = \
         #iree_gpu.lowering_config<{workgroup = [-16]}>} ins(%x : f32) outs(%t : tensor<64xf32>) -> tensor<64xf32>\n  \
         return %r : tensor<64xf32>\n}",
        "func.func @f(%x: f32, %t: tensor<64xf32>) -> tensor<64xf32> {\n  %r = linalg.fill {lowering_config = \
         #iree_gpu.lowering_config<{workgroup = [16]}>} ins(%x : f32) outs(%t : tensor<64xf32>) -> tensor<64xf32>\n  \
         return %r : tensor<64xf32>\n}",
    ),
    texts(
        Code::CannotConfigure,
        "opt --configure -",
        "func.func @f(%a: tensor<64xf32>) -> f32 attributes {translation_info = \
         #iree_codegen.translation_info<pipeline = LLVMGPUDistribute>} {\n  \
         %c0 = arith.constant 0 : index\n  %r = tensor.extract %a[%c0] : tensor<64xf32>\n  return %r : f32\n}",
        MATMUL,
    ),
    commands(
        Code::CannotTile,
        "opt --pass-pipeline=builtin.module(func.func(tile-level{tiling-level=thread})) -",
        "opt --pass-pipeline=builtin.module(func.func(tile-level{tiling-level=reduction})) -",
        "#sizes = #iree_gpu.lowering_config<{thread = [4], reduction = [4]}>\n\
         func.func @f(%a: tensor<64xf32>, %b: tensor<f32>) -> tensor<f32> {\n  \
         %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], \
         iterator_types = [\"reduction\"], lowering_config = #sizes} \
         ins(%a : tensor<64xf32>) outs(%b : tensor<f32>) {\n  ^bb0(%x: f32, %s: f32):\n    \
         %t = arith.addf %x, %s : f32\n    linalg.yield %t : f32\n  } -> tensor<f32>\n  \
         return %r : tensor<f32>\n}",
    ),
    texts(
        Code::CannotSplit,
        "opt --split-complex -",
        "func.func @f(%z: memref<4xcomplex<f32>>) {\n  return\n}",
        "func.func @f(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {\n  return %z : tensor<4xcomplex<f32>>\n}",
    ),
    commands(Code::KernelChoice, "opt --partition --remarks -", "opt --partition -", TWO_PRODUCTS),
    texts(
        Code::NoLayout,
        "opt --lay-out -",
        kernel!(
            "1",
            "%m: memref<64xf32>",
            "  %v = vector.transfer_read %m[%zero], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>\n  \
             vector.transfer_write %v, %m[%zero] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>"
        ),
        kernel!(
            "1",
            "%m: memref<64xf32>",
            "  %v = vector.transfer_read %m[%zero], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>\n  \
             %w = iree_vector_ext.to_layout %v to layout(#row) : vector<64xf32>\n  \
             vector.transfer_write %w, %m[%zero] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>"
        ),
    ),
    commands(
        Code::LayoutMisfit,
        "layout check (32,8):(4,1) --type=vector<256xf16>",
        "layout check (32,8):(8,1) --type=vector<256xf16>",
        "",
    ),
    commands(Code::LayoutChoice, "opt --to=distributed --remarks -", "opt --to=distributed -", MATMUL),
    texts(
        Code::LayoutReport,
        "opt --iree-codegen-test-vector-layout-analysis -",
        kernel!(
            "1",
            "%m: memref<64xf32>",
            "  %v = vector.transfer_read %m[%zero], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>\n  \
             %w = iree_vector_ext.to_layout %v to layout(#row) : vector<64xf32>\n  \
             vector.transfer_write %w, %m[%zero] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>"
        ),
        "func.func @f() {\n  return\n}",
    ),
    texts(
        Code::CannotDistribute,
        "opt --lay-out --distribute -",
        kernel!(
            "1",
            "%m: memref<64xf32>",
            "  %v = vector.transfer_read %m[%zero], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>\n  \
             %w = iree_vector_ext.to_layout %v to layout(#row) : vector<64xf32>\n  %t = gpu.thread_id x\n  \
             vector.transfer_write %w, %m[%zero] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>"
        ),
        kernel!(
            "1",
            "%m: memref<64xf32>",
            "  %v = vector.transfer_read %m[%zero], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>\n  \
             %w = iree_vector_ext.to_layout %v to layout(#row) : vector<64xf32>\n  \
             vector.transfer_write %w, %m[%zero] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>"
        ),
    ),
    texts(
        Code::CannotLower,
        "opt --lower -",
        "func.func @f(%x: tensor<64xf32>) {\n  return\n}",
        "func.func @f(%x: memref<64xf32>) {\n  return\n}",
    ),
    texts(
        Code::NotAtStage,
        "opt --to=tiled -",
        simt!("64", "%m: memref<64xf32>", "  %one = arith.constant 1.0 : f32"),
        MATMUL,
    ),
    texts(
        Code::DynamicBuffer,
        "opt --lower -",
        simt!(
            "64",
            "%m: memref<64xf32, strided<[2]>>",
            "  %x = memref.load %m[%t] : memref<64xf32, strided<[2]>>\n  memref.store %x, %m[%t] : memref<64xf32, strided<[2]>>"
        ),
        simt!(
            "64",
            "%m: memref<64xf32>",
            "  %x = memref.load %m[%t] : memref<64xf32>\n  memref.store %x, %m[%t] : memref<64xf32>"
        ),
    ),
    texts(
        Code::OverLimit,
        "build -",
        simt!("2048", "%m: memref<64xf32>", "  %one = arith.constant 1.0 : f32"),
        simt!("1024", "%m: memref<64xf32>", "  %one = arith.constant 1.0 : f32"),
    ),
    texts(
        Code::UnrollsTooFar,
        "opt --lower -",
        simt!(
            "64",
            "%m: memref<64xf32>",
            "  %x = memref.load %m[%t] : memref<64xf32>\n  %v = vector.broadcast %x : f32 to vector<100000000xf32>\n  \
             %w = arith.mulf %v, %v : vector<100000000xf32>\n  %y = vector.extract %w[0] : f32 from vector<100000000xf32>\n  \
             memref.store %y, %m[%t] : memref<64xf32>"
        ),
        simt!(
            "64",
            "%m: memref<64xf32>",
            "  %x = memref.load %m[%t] : memref<64xf32>\n  %v = vector.broadcast %x : f32 to vector<4xf32>\n  \
             %w = arith.mulf %v, %v : vector<4xf32>\n  %y = vector.extract %w[0] : f32 from vector<4xf32>\n  \
             memref.store %y, %m[%t] : memref<64xf32>"
        ),
    ),
    commands(Code::CannotEmit, "build --target=gfx942 --emit=ptx -", "build --target=sm_80 --emit=ptx -", MATMUL),
    texts(
        Code::NoKernel,
        "build -",
        "func.func @f(%a: i32, %b: i32) -> i32 {\n  %r = arith.addi %a, %b : i32\n  return %r : i32\n}",
        MATMUL,
    ),
    texts(
        Code::CannotExecute,
        "run -",
        simt!(
            "64",
            "%m: memref<64xf32>",
            "  %one = arith.constant 1.0 : f32\n  memref.store %one, %m[%t] : memref<64xf32>\n  gpu.printf \"here\""
        ),
        simt!(
            "64",
            "%m: memref<64xf32>",
            "  %one = arith.constant 1.0 : f32\n  memref.store %one, %m[%t] : memref<64xf32>\n  gpu.barrier"
        ),
    ),
    texts(
        Code::PtxSyntax,
        "exec --input=64xf32=1 -",
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry f(.param .u64 p)\n.reqntid 64, 1, 1\n{\n  .reg .b64 %rd<2>;\n  \
         ld.param.u64 %rd0, [p]\n  ret;\n}",
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry f(.param .u64 p)\n.reqntid 64, 1, 1\n{\n  .reg .b64 %rd<2>;\n  \
         ld.param.u64 %rd0, [p];\n  ret;\n}",
    ),
    commands(Code::LimitHit, "run --fuel=1000 -", "run --fuel=1000000000 -", SPIN),
    texts(
        Code::BadLaunch,
        "run -",
        "func.func @f(%m: memref<64xf32>) attributes {gpu.known_grid_size = array<i32: 0, 1, 1>} {\n  \
         %zero = arith.constant 0 : index\n  %one = arith.constant 1.0 : f32\n  \
         memref.store %one, %m[%zero] : memref<64xf32>\n  return\n}",
        "func.func @f(%m: memref<64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>} {\n  \
         %zero = arith.constant 0 : index\n  %one = arith.constant 1.0 : f32\n  \
         memref.store %one, %m[%zero] : memref<64xf32>\n  return\n}",
    ),
    texts(
        Code::OutOfBounds,
        "run -",
        simt!(
            "64",
            "%in: memref<40xf32>, %out: memref<64xf32>",
            "  %x = memref.load %in[%t] : memref<40xf32>\n  memref.store %x, %out[%t] : memref<64xf32>"
        ),
        simt!(
            "64",
            "%in: memref<64xf32>, %out: memref<64xf32>",
            "  %x = memref.load %in[%t] : memref<64xf32>\n  memref.store %x, %out[%t] : memref<64xf32>"
        ),
    ),
    texts(
        Code::Uninitialised,
        "run -",
        simt!(
            "64",
            "%out: memref<64xf32>",
            "  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %x = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             memref.store %x, %out[%t] : memref<64xf32>"
        ),
        simt!(
            "64",
            "%out: memref<64xf32>",
            "  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>\n  %one = arith.constant 1.0 : f32\n  \
             memref.store %one, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %x = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             memref.store %x, %out[%t] : memref<64xf32>"
        ),
    ),
    texts(
        Code::Race,
        "run -",
        simt!(
            "64",
            "%out: memref<64xf32>",
            "  %zero = arith.constant 0 : index\n  %i = arith.index_cast %t : index to i32\n  \
             %x = arith.sitofp %i : i32 to f32\n  memref.store %x, %out[%zero] : memref<64xf32>"
        ),
        simt!(
            "64",
            "%out: memref<64xf32>",
            "  %i = arith.index_cast %t : index to i32\n  \
             %x = arith.sitofp %i : i32 to f32\n  memref.store %x, %out[%t] : memref<64xf32>"
        ),
    ),
    texts(
        Code::Misaligned,
        "run -",
        simt!(
            "64",
            "%in: memref<512xf16>, %out: memref<512xf16>",
            "  %two = arith.constant 2 : index\n  %i = arith.muli %t, %two : index\n  \
             %x = vector.load %in[%i] : memref<512xf16>, vector<4xf16>\n  %four = arith.constant 4 : index\n  \
             %j = arith.muli %t, %four : index\n  vector.store %x, %out[%j] : memref<512xf16>, vector<4xf16>"
        ),
        simt!(
            "64",
            "%in: memref<512xf16>, %out: memref<512xf16>",
            "  %four = arith.constant 4 : index\n  %j = arith.muli %t, %four : index\n  \
             %x = vector.load %in[%j] : memref<512xf16>, vector<4xf16>\n  \
             vector.store %x, %out[%j] : memref<512xf16>, vector<4xf16>"
        ),
    ),
    texts(
        Code::Divergent,
        "run -",
        simt!(
            "64",
            "%m: memref<64xf32>",
            "  %one = arith.constant 1.0 : f32\n  memref.store %one, %m[%t] : memref<64xf32>\n  %c48 = arith.constant 48 : index\n  %some = arith.cmpi ult, %t, %c48 : index\n  scf.if %some {\n    gpu.barrier\n  }"
        ),
        simt!(
            "64",
            "%m: memref<64xf32>",
            "  %one = arith.constant 1.0 : f32\n  memref.store %one, %m[%t] : memref<64xf32>\n  gpu.barrier"
        ),
    ),
    texts(
        Code::Deadlock,
        "run -",
        simt!(
            "64",
            "%m: memref<64xf32>",
            "  %one = arith.constant 1.0 : f32\n  memref.store %one, %m[%t] : memref<64xf32>\n  %c32 = arith.constant 32 : index\n  %some = arith.cmpi ult, %t, %c32 : index\n  scf.if %some {\n    gpu.barrier\n  }"
        ),
        simt!(
            "64",
            "%m: memref<64xf32>",
            "  %one = arith.constant 1.0 : f32\n  memref.store %one, %m[%t] : memref<64xf32>\n  gpu.barrier"
        ),
    ),
    texts(
        Code::Undefined,
        "run -",
        simt!(
            "64",
            "%out: memref<64xindex>",
            "  %c100 = arith.constant 100 : index\n  %x = arith.divui %c100, %t : index\n  \
             memref.store %x, %out[%t] : memref<64xindex>"
        ),
        simt!(
            "64",
            "%out: memref<64xindex>",
            "  %c100 = arith.constant 100 : index\n  %one = arith.constant 1 : index\n  %d = arith.addi %t, %one : index\n  \
             %x = arith.divui %c100, %d : index\n  memref.store %x, %out[%t] : memref<64xindex>"
        ),
    ),
    texts(
        Code::Async,
        "run -",
        simt!(
            "64",
            "%in: memref<64xf32>, %out: memref<64xf32>",
            "  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %k = nvgpu.device_async_copy %in[%t], %s[%t], 1 : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %g = nvgpu.device_async_create_group %k\n  %x = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             memref.store %x, %out[%t] : memref<64xf32>"
        ),
        simt!(
            "64",
            "%in: memref<64xf32>, %out: memref<64xf32>",
            "  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %k = nvgpu.device_async_copy %in[%t], %s[%t], 1 : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %g = nvgpu.device_async_create_group %k\n  nvgpu.device_async_wait %g {numGroups = 0 : i32}\n  \
             %x = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             memref.store %x, %out[%t] : memref<64xf32>"
        ),
    ),
    texts(
        Code::Freed,
        "run -",
        simt!(
            "64",
            "%in: memref<64xf32>, %out: memref<64xf32>",
            "  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %x = memref.load %in[%t] : memref<64xf32>\n  \
             memref.store %x, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             memref.dealloc %s : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %y = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             memref.store %y, %out[%t] : memref<64xf32>"
        ),
        simt!(
            "64",
            "%in: memref<64xf32>, %out: memref<64xf32>",
            "  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %x = memref.load %in[%t] : memref<64xf32>\n  \
             memref.store %x, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             %y = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>\n  \
             memref.store %y, %out[%t] : memref<64xf32>\n  \
             memref.dealloc %s : memref<64xf32, #gpu.address_space<workgroup>>"
        ),
    ),
    commands(
        Code::BadInput,
        "run --input=32x64xf16=1 --input=64x64xf16=1 -",
        "run --input=64x64xf16=1 --input=64x64xf16=1 -",
        MATMUL,
    ),
    texts(Code::CannotAdmit, "opt --admit -", dispatch!("readonly"), dispatch!("writeonly")),
    texts(Code::NothingToDo, "opt --to=lowered -", "func.func private @f()", MATMUL),
    commands(Code::BadFile, "check no/such/file.mlir", "check -", "func.func private @f()"),
    commands(Code::UnknownName, "opt --target=sm80 -", "opt --target=sm_80 -", MATMUL),
    commands(Code::TooLarge, "run --memory=1K -", "run -", MATMUL),
    texts(
        Code::BadScript,
        "opt --run-script -",
        "module attributes {transform.with_named_sequence} {\ntransform.named_sequence @__transform_main(%root: !transform.any_op) {\n  \
         %f = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> !transform.any_op\n  \
         %g = transform.get_parent_op %f {op_name = \"scf.for\"} : (!transform.any_op) -> !transform.any_op\n  \
         transform.yield\n}\nfunc.func @f() {\n  return\n}\n}",
        "module attributes {transform.with_named_sequence} {\ntransform.named_sequence @__transform_main(%root: !transform.any_op) {\n  \
         %f = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> !transform.any_op\n  \
         transform.apply_cse to %f : !transform.any_op\n  transform.yield\n}\nfunc.func @f() {\n  return\n}\n}",
    ),
    texts(
        Code::ScriptSays,
        "opt --run-script -",
        "module attributes {transform.with_named_sequence} {\ntransform.named_sequence @__transform_main(%root: !transform.any_op) {\n  \
         transform.print %root {name = \"here\"} : !transform.any_op\n  transform.yield\n}\n}",
        "module attributes {transform.with_named_sequence} {\ntransform.named_sequence @__transform_main(%root: !transform.any_op) {\n  transform.yield\n}\n}",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Every diagnostic that a command can give has an example. Too much shared memory is found as E0604 before there is
    /// code to write, and what LLVM and devices say depends on the machine.
    #[test]
    fn every_code_has_an_example() {
        let missing: Vec<Code> = Code::ALL.iter().copied().filter(|&code| of(code).is_none()).collect();
        assert_eq!(
            missing,
            [Code::TooMuchShared, Code::NoLlvm, Code::NoPtxas, Code::NoDevice, Code::DeviceFault, Code::BrokenPass]
        );
    }
}
