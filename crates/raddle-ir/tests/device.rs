//! Kernels, what launches them, and what they become for a vendor's compiler, spelled as `iree-opt` 3.12.0 prints them.

mod common;

use raddle_ir::{PrintOptions, print};

use common::{complaint, function, read, refused, stays};

/// What is read is printed as it stands, and its generic form, which holds a text, is read as the same program.
fn unchanged(text: &str, generic: &str) {
    let printed = stays(text);
    assert!(printed.contains(generic), "{printed}");
}

/// A kernel has memory of its workgroup and of each thread behind its arguments.
#[test]
fn kernels() {
    let text = "\
module {
  gpu.module @kernels<#gpu.select_object<#nvvm.target>> [#nvvm.target<chip = \"sm_90\">] attributes {note} {
    gpu.func @k(%arg0: f32, %arg1: memref<?xf32, 1>) workgroup(%arg2 : memref<32xf32, 3> {llvm.align = 8 : i64}) private(%arg3 : memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      gpu.return
    }
    gpu.func @plain(%arg0: f32) -> f32 {
      gpu.return %arg0 : f32
    }
    func.func @f() {
      return
    }
  }
}
";
    unchanged(text, "kernel, known_block_size = array<i32: 32, 1, 1>, sym_name = \"k\"");
    let wrong = text.replace("memref<32xf32, 3>", "memref<32xf32, #gpu.address_space<private>>");
    assert!(complaint(&wrong).contains("expected memory space workgroup in attribution"));
    let wrong = text.replace("kernel attributes", "attributes").replace("-> f32 {", "-> f32 kernel {");
    assert!(complaint(&wrong).contains("expected void return type"));
}

/// A launch names ids and sizes, perhaps of clusters, and memory; its body sees what is around it.
#[test]
fn launches() {
    let args = "%arg0: index, %arg1: i32, %arg2: !llvm.ptr";
    let body = "{\n  gpu.terminator\n}";
    let sizes = |word: &str, first: usize, size: usize| {
        let names = |at: usize| -> Vec<String> { (at..at + 3).map(|n| format!("%arg{n}")).collect() };
        let pairs: Vec<String> = names(size).iter().map(|name| format!("{name} = %arg0")).collect();
        format!("{word}({}) in ({})", names(first).join(", "), pairs.join(", "))
    };
    let plain = format!("{} {}", sizes("blocks", 3, 9), sizes("threads", 6, 12));
    unchanged(
        &function(args, &format!("gpu.launch {plain} {body}")),
        "operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0>}",
    );
    let more = "dynamic_shared_memory_size %arg1 module(@m) function(@k) workgroup(%arg15 : memref<4xf32, 3>)";
    unchanged(
        &function(args, &format!("%0 = gpu.launch async <%arg2 : !llvm.ptr> {plain} {more} {body} {{note}}")),
        "module = @m, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1>, workgroup_attributions = 1",
    );
    let clusters = format!("{} {plain}", sizes("clusters", 15, 18));
    unchanged(
        &function(args, &format!("gpu.launch {clusters} {body}")),
        "operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0>",
    );
    let two = function(args, &format!("gpu.launch {plain} {body}")).replace("blocks(%arg3, ", "blocks(");
    assert!(complaint(&two).contains("three ids and three sizes"));
}

/// What the host does may wait for tokens and give one.
#[test]
fn host_code() {
    let args = "%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: i64, %arg4: memref<*xf32>";
    let lines = "\
%0 = gpu.wait async
%memref, %asyncToken = gpu.alloc async [%0] host_shared (%arg0) : memref<?xf32>
%1 = gpu.memcpy async [%asyncToken, %0] %memref, %arg1 : memref<?xf32>, memref<?xf32>
gpu.memset [%1] %memref, %arg2 : memref<?xf32>, f32
gpu.dealloc %memref : memref<?xf32>
gpu.host_register %arg4 : memref<*xf32>
gpu.launch_func @b::@k blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
%2 = gpu.launch_func async [%1] @m::@k clusters in (%arg3, %arg3, %arg3) blocks in (%arg3, %arg3, %arg3) threads in (%arg3, %arg3, %arg3) : i64 args(%arg2 : f32, %arg1 : memref<?xf32>)
gpu.wait [%2]";
    let kernels = "\
  gpu.binary @b [#gpu.object<#nvvm.target, \"\">]
  gpu.module @m {
    gpu.func @k(%a: f32, %b: memref<?xf32>) kernel {
      gpu.return
    }
  }
";
    let head = format!("module attributes {{gpu.container_module}} {{\n{kernels}");
    let text = function(args, lines).replacen("module {\n", &head, 1);
    let printed = print(&read(&text), &PrintOptions { generic: true, ..PrintOptions::default() });
    assert!(printed.contains("operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 0>"), "{printed}");
    let custom = print(&read(&printed), &PrintOptions::default());
    assert_eq!(print(&read(&custom), &PrintOptions::default()), custom);
    assert_eq!(print(&read(&text), &PrintOptions::default()), custom);
    assert!(custom.contains("threads in (%arg3, %arg3, %arg3) : i64 args(%arg2 : f32, %arg1 : memref<?xf32>)"));
}

/// A reduction combines what its operation can combine.
#[test]
fn reductions() {
    let wrong = |line: &str| complaint(&function("%arg0: f32, %arg1: i32, %arg2: index", line));
    let line = "%0 = gpu.subgroup_reduce and %arg0 : (f32) -> f32";
    assert!(wrong(line).contains("`and` reduction operation is not compatible with type 'f32'"));
    let line = "%0 = gpu.all_reduce maximumf %arg1 {} : (i32) -> i32";
    assert!(wrong(line).contains("`maximumf` reduction operation is not compatible with type 'i32'"));
    assert!(
        wrong("%0 = gpu.all_reduce %arg1 {} : (i32) -> i32").contains("either an op attribute or a non-empty body")
    );
    assert!(wrong("%0, %1 = gpu.rotate %arg0, 16, 16 : f32").contains("offset must be in the range [0, 16)"));
    assert!(wrong("%0, %1 = gpu.rotate %arg0, 1, 12 : f32").contains("power of two"));
}

/// Addresses, parts of values, calls and branches.
#[test]
fn lowered_code() {
    let text = "\
module {
  llvm.func fastcc @g(!llvm.ptr, ...) -> i32
  llvm.func @f(%arg0: !llvm.ptr, %arg1: i64, %arg2: !llvm.struct<(i32, array<2 x f32>)>, %arg3: vector<4xf32>) {
    %0 = llvm.getelementptr inbounds|nuw %arg0[%arg1, 3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
    %1 = llvm.extractvalue %arg2[1, 0] : !llvm.struct<(i32, array<2 x f32>)>
    %2 = llvm.insertvalue %1, %arg2[1, 1] : !llvm.struct<(i32, array<2 x f32>)>
    %3 = llvm.call fastcc tail @g(%arg0, %arg1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr {llvm.nonnull}, i64) -> i32
    llvm.call %arg0(%3) [\"tag\"(%1 : f32)] : !llvm.ptr, (i32) -> ()
    %4 = llvm.icmp \"slt\" %3, %3 : i32
    %5 = llvm.fcmp \"_true\" %1, %1 : f32
    %6 = llvm.shufflevector %arg3, %arg3 [0, 5] : vector<4xf32>
    %7 = llvm.cmpxchg %arg0, %3, %3 syncscope(\"agent\") acq_rel monotonic : !llvm.ptr, i32
    %8 = llvm.load %arg0 atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
    %9 = llvm.call_intrinsic \"llvm.any\"(%3) : (i32) -> i32
    %10 = llvm.inline_asm has_side_effects \"nop\", \"=r,r\" %3 : (i32) -> i32
    llvm.cond_br %4, ^bb1(%3 : i32), ^bb2
  ^bb1(%11: i32):  // 2 preds: ^bb0, ^bb1
    llvm.switch %11 : i32, ^bb2 [
      1: ^bb2,
      7: ^bb1(%3 : i32)
    ]
  ^bb2:  // 3 preds: ^bb0, ^bb1, ^bb1
    llvm.return
  }
}
";
    unchanged(text, "noWrapFlags = 7 : i32, rawConstantIndices = array<i32: -2147483648, 3>");
    let text = text.replace("%arg2[1, 0]", "%arg2[2]");
    assert!(complaint(&text).contains("position out of bounds: 2"));
}

/// An operation without custom assembly is printed in generic form.
#[test]
fn generic_only() {
    let text = "\
module {
  llvm.func @f(%arg0: !llvm.ptr, %arg1: i64) {
    \"llvm.intr.memcpy\"(%arg0, %arg0, %arg1) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    llvm.return
  }
}
";
    unchanged(text, "isVolatile = false");
    let custom = text.replace("\"llvm.intr.memcpy\"", "llvm.intr.memcpy");
    assert!(complaint(&custom).contains("is written in generic form"));
}

/// Instructions of one vendor.
#[test]
fn instructions() {
    let args = "%arg0: !llvm.ptr, %arg1: i32, %arg2: f32, %arg3: vector<2xi32>, %arg4: vector<4xf8E5M2>";
    let lines = "\
%0 = rocdl.readfirstlane %arg2 : f32
%1 = rocdl.cvt.scale.pk8.f16.fp8 %arg3, %arg1[0] : vector<8xf16>
%2 = nvvm.elect.sync -> i1
nvvm.mbarrier.init %arg0, %arg1 : !llvm.ptr, i32
%3 = amdgpu.packed_trunc_2xfp8 %arg2, undef into undef[word 1] : f32 to vector<4xf8E5M2>
%4 = amdgpu.packed_trunc_2xfp8 %arg2, %arg2 into %arg4[word 0] : f32 to vector<4xf8E5M2> into vector<4xf8E5M2>
amdgpu.memory_counter_wait load(1) ds(3)";
    let text = function(args, lines);
    let ir = read(&text);
    let custom = print(&ir, &PrintOptions::default());
    assert_eq!(print(&read(&custom), &PrintOptions::default()), custom);
    let generic = print(&ir, &PrintOptions { generic: true, ..PrintOptions::default() });
    assert!(generic.contains("(vector<2xi32>, i32) -> vector<8xf16>"), "{generic}");
    assert!(generic.contains("operandSegmentSizes = array<i32: 1, 0, 0>, wordIndex = 1 : i32"), "{generic}");
    assert_eq!(print(&read(&generic), &PrintOptions::default()), custom);
}

/// What the assembly of functions, globals and parts of containers is printed from is there, and fits.
#[test]
fn assembly_has_what_it_prints() {
    let wrong = [
        ("\"llvm.func\"() ({}) {sym_name = \"f\"} : () -> ()", "requires attribute 'function_type'"),
        (
            "\"llvm.func\"() ({ ^a(%0: i64): llvm.return }) {sym_name = \"f\", function_type = !llvm.func<void ()>} : () -> ()",
            "entry block must have 0 arguments",
        ),
        ("llvm.func @f() -> (!llvm.void {llvm.noundef})", "got 1, but expected 0"),
        ("\"llvm.mlir.global\"() ({}) {global_type = i64} : () -> ()", "requires attribute 'sym_name'"),
        ("\"llvm.mlir.global\"() ({}) {sym_name = \"g\"} : () -> ()", "requires attribute 'global_type'"),
        (
            "func.func @f(%a: !llvm.array<1 x i32>) { %0 = \"llvm.insertvalue\"(%a, %a) {position = array<i64: 0>} : (!llvm.array<1 x i32>, !llvm.array<1 x i32>) -> !llvm.array<1 x i32> return }",
            "cannot insert '!llvm.array<1 x i32>' into '!llvm.array<1 x i32>', where 'i32' stands",
        ),
    ];
    for (text, expected) in wrong {
        let message = complaint(text);
        assert!(message.contains(expected), "{text}\n{message}");
    }
}

/// What stands in a module for kernels, with what is said about it.
fn in_kernels(text: &str) -> String {
    format!("module attributes {{gpu.container_module}} {{ gpu.module @m {{ {text} }} }}")
}

/// A kernel stands in a module of its own and returns what it says; its arguments come before its memory.
#[test]
fn wrong_kernels() {
    let wrong = [
        ("gpu.func @k(%a: f32) -> f32 { gpu.return }", "expected 1 result operands"),
        ("gpu.func @k(%a: f32) -> i32 { gpu.return %a : f32 }", "unexpected type `f32` for operand #0"),
        ("gpu.func @k(f32) { gpu.return }", "gpu.func requires named arguments"),
        ("gpu.func @k() kernel attributes {known_grid_size = array<i32: 2>} { gpu.return }", "with 3 elements"),
        ("\"gpu.func\"() ({}) {sym_name = \"k\", function_type = () -> ()} : () -> ()", "at least one block"),
        ("\"gpu.func\"() ({ gpu.return }) {sym_name = \"k\", function_type = f32} : () -> ()", "of function type"),
        (
            "\"gpu.func\"() ({ gpu.return }) {sym_name = \"k\", function_type = () -> (), workgroup_attributions = 2} : () -> ()",
            "expected at least 2 arguments to body region",
        ),
        (
            "\"gpu.func\"() ({ ^a(%0: f32): gpu.return }) {sym_name = \"k\", function_type = (i32) -> ()} : () -> ()",
            "expected body region argument #0 to be of type 'i32', got 'f32'",
        ),
        ("gpu.module @n [1] {}", "array of GPU target attributes with at least 1 elements"),
        ("gpu.binary @b []", "an array of GPU object attributes with at least 1 elements"),
        ("gpu.binary @b <1> [#gpu.object<#nvvm.target, \"\">]", "OffloadingTranslationAttrTrait"),
    ];
    for (text, expected) in wrong {
        let found = complaint(&in_kernels(text));
        assert!(found.contains(expected), "{text}\n{found}");
    }
    assert!(complaint("module { gpu.func @k() { gpu.return } }").contains("expects parent op 'gpu.module'"));
    let size = |value: &str| format!("func.func @f() attributes {{gpu.known_block_size = {value}}} {{ return }}");
    assert!(complaint(&size("32 : i32")).contains("must be a dense i32 array"));
    assert!(complaint(&size("array<i32: 2, 1>")).contains("must contain exactly 3 elements"));
    let container = "func.func @f() attributes {gpu.container_module} { return }";
    assert!(complaint(container).contains("to be attached to 'builtin.module'"));
}

/// A launch names a kernel that is there and takes its operands.
#[test]
fn wrong_launches() {
    let launch = |name: &str, args: &str| {
        let kernels = "memref.global \"private\" @g : memref<1xf32> gpu.func @f(%a: f32) { gpu.return } gpu.func @k(%a: f32) kernel { gpu.return }";
        let sizes = "blocks in (%n, %n, %n) threads in (%n, %n, %n)";
        let host = format!("func.func @h(%n: index, %x: f32) {{ gpu.launch_func {name} {sizes} {args} return }}");
        format!("module attributes {{gpu.container_module}} {{ gpu.module @m {{ {kernels} }} {host} }}")
    };
    read(&launch("@m::@k", "args(%x : f32)"));
    for (name, args, expected) in [
        ("@n::@k", "", "kernel container 'n' is undefined"),
        ("@h", "", "kernel module 'h' is undefined"),
        ("@m::@n", "", "kernel function '@m::@n' is undefined"),
        ("@m::@g", "", "referenced kernel '@m::@g' is not a function"),
        ("@m::@f", "args(%x : f32)", "missing the 'gpu.kernel' attribute"),
        ("@m::@k", "", "got 0 kernel operands but expected 1"),
        ("@m::@k", "args(%n : index)", "type of function argument 0 does not match"),
        ("\"k\"", "", "invalid kind of attribute specified"),
    ] {
        let found = complaint(&launch(name, args));
        assert!(found.contains(expected), "{name} {args}\n{found}");
    }
    let bare = launch("@m::@k", "").replace("attributes {gpu.container_module} ", "");
    assert!(complaint(&bare).contains("to have the 'gpu.container_module' attribute"));
    let short = "\"gpu.launch\"(%arg0) ({}) : (index) -> ()";
    refused("%arg0: index", &[(short, "expected 6 or more operands, but found 1")]);
}

/// Copies, memory of a launch, lanes.
#[test]
fn wrong_memory_and_lanes() {
    let args =
        "%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32";
    refused(
        args,
        &[
            ("gpu.memcpy %a, %b : memref<?xf32>, memref<?xi32>", "arguments have incompatible element type"),
            ("gpu.memcpy %c, %d : memref<7xf32>, memref<9xf32>", "arguments have incompatible shape"),
            ("gpu.memset %a, %i : memref<?xf32>, i32", "all of {dst, value} have same element type"),
            ("%0 = gpu.alloc(%n) : memref<?x?xf32>", "incorrect number of dynamic sizes, has 1, expected 2"),
            ("%0 = gpu.alloc()[%n] : memref<2xf32>", "symbol operand count does not equal memref symbol count"),
            ("%0 = gpu.dynamic_shared_memory : memref<?xi8>", "address space must be address_space<workgroup>"),
            (
                "%0 = gpu.dynamic_shared_memory : memref<1xi8, #gpu.address_space<workgroup>>",
                "must be memref<?xi8, #gpu.address_space<workgroup>>",
            ),
            (
                "%0 = gpu.dynamic_shared_memory : memref<?xf32, #gpu.address_space<workgroup>>",
                "result #0 must be 1D memref of 8-bit signless integer values",
            ),
            (
                "%0 = gpu.subgroup_reduce add %x cluster(size = 3) : (f32) -> f32",
                "cluster size 3 is not a power of two",
            ),
            (
                "%0 = gpu.subgroup_reduce add %x cluster(size = 4, stride = 0) : (f32) -> f32",
                "cluster stride 0 is not a power of two",
            ),
            (
                "%0 = \"gpu.subgroup_reduce\"(%x) {op = #gpu<all_reduce_op add>, cluster_stride = 2 : i32} : (f32) -> f32",
                "cluster stride can only be specified if cluster size is specified",
            ),
            (
                "%0 = \"gpu.subgroup_broadcast\"(%x) {broadcast_type = #gpu<broadcast specific_lane>} : (f32) -> f32",
                "lane must be specified",
            ),
            (
                "%0, %1 = \"gpu.rotate\"(%x) {offset = 1 : i32, width = 4 : i32} : (f32) -> (i32, i1)",
                "failed to verify that all of {value, rotateResult} have same type",
            ),
            (
                "%0, %1 = gpu.rotate %x, -1, 4 : f32",
                "'offset' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0",
            ),
        ],
    );
}

/// What one lane computes for all is dealt out evenly.
#[test]
fn wrong_dealing() {
    let text = |whole: &str, part: &str| {
        format!(
            "%0 = gpu.warp_execute_on_lane_0(%n)[32] -> ({part}) {{ %1 = \"x.y\"() : () -> {whole} gpu.yield %1 : {whole} }}"
        )
    };
    let verdict = |whole: &str, part: &str| complaint(&function("%n: index", &text(whole, part)));
    assert_eq!(verdict("vector<128xi32>", "vector<4xi32>"), "");
    assert_eq!(verdict("i32", "i32"), "");
    for (whole, part, expected) in [
        ("vector<128xi32>", "i32", "expected vector type for distributed operands."),
        ("vector<128xi32>", "vector<4xf32>", "to have same rank and element type."),
        ("vector<4x8xi32>", "vector<1x3xi32>", "expected expanded vector dimension #1 (8) to be a multipler"),
        ("vector<64xi32>", "vector<4xi32>", "from 'vector<64xi32>' to 'vector<4xi32>' with warp size = 32"),
    ] {
        let found = verdict(whole, part);
        assert!(found.contains(expected), "{whole} {part}\n{found}");
    }
    refused(
        "%n: index, %v: vector<4xi32>",
        &[
            ("gpu.warp_execute_on_lane_0(%n)[32] {\n^bb0(%a: i32):\n}", "expected same number op arguments and block"),
            ("%0 = gpu.warp_execute_on_lane_0(%n)[32] -> (i32) {\n}", "expected same number of yield operands"),
        ],
    );
}

/// Matrices of a subgroup are operands of a product, in order, and lie in memory row by row.
#[test]
fn wrong_fragments() {
    let matrix = |shape: &str, operand: &str| format!("!gpu.mma_matrix<{shape}, \"{operand}\">");
    let (a, b, c) = (matrix("16x8xf16", "AOp"), matrix("16x16xf16", "BOp"), matrix("16x16xf16", "COp"));
    let columns = "memref<16x16xf16, affine_map<(i, j) -> (j, i)>>";
    let args = format!("%a: {a}, %b: {b}, %c: {c}, %m: {columns}, %r: memref<16x16xf16>, %n: index");
    let load = format!("%0 = gpu.subgroup_mma_load_matrix %m[%n, %n] leadDimension 16 : {columns} -> {c}");
    let store = |value: &str, ty: &str| {
        format!("gpu.subgroup_mma_store_matrix {value}, %r[%n, %n] leadDimension 16 : {ty}, memref<16x16xf16>")
    };
    read(&function(&args, &store("%c", &c)));
    refused(
        &args,
        &[
            (&load, "expected source memref most minor dim must have unit stride"),
            (&store("%a", &a), "expected the operand matrix being stored to have 'COp' operand type"),
            (&format!("%0 = gpu.subgroup_mma_compute %b, %a, %c : {b}, {a} -> {c}"), "in the order AOp, BOp, COp"),
            (&format!("%0 = gpu.subgroup_mma_compute %a, %b, %c : {a}, {b} -> {c}"), "do not satisfy matmul"),
            (
                &format!("%0 = gpu.subgroup_mma_extract_thread_local %a[%n] : {a} -> f32"),
                "value type matches element type of mma_matrix",
            ),
        ],
    );
    for (shape, operand, expected) in
        [("16xf16", "AOp", "must have exactly two dimensions"), ("16x16xf16", "EOp", "one of AOp, BOp or COp")]
    {
        assert!(complaint(&function(&format!("%a: {}", matrix(shape, operand)), "")).contains(expected), "{shape}");
    }
}

/// Shapes and types of AMD's matrix instructions.
#[test]
fn wrong_products() {
    let args = "%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>";
    let mfma = "%0 = amdgpu.mfma";
    refused(
        args,
        &[
            (
                &format!("{mfma} 7x32x1 %f * %f + %d blgp = none : f32, f32, vector<32xf32>"),
                "attribute 'm' failed to satisfy constraint: 32-bit signless integer attribute whose value is one of {4, 16, 32}",
            ),
            (
                &format!("{mfma} 32x32x1 %f * %e + %d {{blocks = 2 : i32}} blgp = none : f32, f64, vector<32xf32>"),
                "to match exactly",
            ),
            (
                &format!(
                    "{mfma} 16x16x32 %p * %i8 + %c blgp = none : vector<8xf8E5M2FNUZ>, vector<8xi8>, vector<4xf32>"
                ),
                "small-float elements if one does",
            ),
            (
                &format!("{mfma} 16x16x32 %h * %h + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>"),
                "expected 8 source values for this operation but got 4",
            ),
            (
                &format!("{mfma} 16x16x16 %h * %h + %d blgp = none : vector<4xf16>, vector<4xf16>, vector<32xf32>"),
                "expected 4 result values for this operation but got 32",
            ),
            (
                &format!("{mfma} 16x16x4 %e * %e + %q blgp = bcast_first_32 : f64, f64, vector<4xf64>"),
                "permuting lanes of B",
            ),
            (
                &format!("{mfma} 16x16x4 %e * %e + %q {{cbsz = 1 : i32}} blgp = none : f64, f64, vector<4xf64>"),
                "permuting lanes of A",
            ),
            (
                &format!(
                    "{mfma} 16x16x16 %h * %h + %c {{abid = 1 : i32}} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>"
                ),
                "must be below 2 ** cbsz",
            ),
            (
                &format!(
                    "{mfma} 16x16x16 %h * %h + %c {{negateA}} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>"
                ),
                "negation flags",
            ),
            (
                &format!("{mfma} 16x16x16 %s * %s + %c blgp = none : vector<8xi32>, vector<8xi32>, vector<4xf32>"),
                "operand #0 must be 32-bit float or 64-bit float or 32-bit signless integer or 64-bit signless integer or vector of 32-bit float values of length 2 or",
            ),
            (
                "%0 = amdgpu.sparse_mfma 16x16x32 %h * %b8 + %c sparse(%i : vector<4xi8>) : vector<4xf16>, vector<8xbf16>, vector<4xf32>",
                "expected source operands to have the same element type",
            ),
            (
                "%0 = amdgpu.sparse_mfma 16x16x32 %h * %h8 + %c sparse(%j : vector<2xi16>) : vector<4xf16>, vector<8xf16>, vector<4xf32>",
                "expected vector<4xi8> sparse indices for this variant, but got 'vector<2xi16>'",
            ),
            (
                "%0 = amdgpu.sparse_mfma 16x16x32 %h * %h8 + %c sparse(%i : vector<4xi8>) {abid = 4 : i32} : vector<4xf16>, vector<8xf16>, vector<4xf32>",
                "ABID must be in [0, 3] for this variant",
            ),
            (
                "%0 = amdgpu.sparse_mfma 32x32x32 %h * %h8 + %c sparse(%i : vector<4xi8>) : vector<4xf16>, vector<8xf16>, vector<4xf32>",
                "expected 16 source values",
            ),
            (
                "%0 = amdgpu.wmma 16x16x16 %h8 * %h8 + %s : vector<8xf16>, vector<8xf16>, vector<8xi32>",
                "expected int sources with int destination",
            ),
            (
                "%0 = amdgpu.wmma 16x16x16 %i8 * %i8 + %t : vector<8xi8>, vector<8xi8>, vector<8xf32>",
                "expected float sources with float destination",
            ),
            (
                "%0 = amdgpu.wmma 16x16x16 %h8 * %b8 + %t : vector<8xf16>, vector<8xbf16>, vector<8xf32>",
                "source element types must match (except for fp8/bf8)",
            ),
            (
                "%0 = amdgpu.wmma 16x16x16 %h8 * %h + %t : vector<8xf16>, vector<4xf16>, vector<8xf32>",
                "source vectors have different lengths",
            ),
            (
                "%0 = amdgpu.wmma 16x16x16 %h8 * %h8 + %t {clamp} : vector<8xf16>, vector<8xf16>, vector<8xf32>",
                "clamp flag",
            ),
            (
                "%0 = amdgpu.wmma 16x16 %h8 * %h8 + %t : vector<8xf16>, vector<8xf16>, vector<8xf32>",
                "'amdgpu.wmma' expected 3 dimensions in MNK dimension list",
            ),
            (
                "%0 = amdgpu.scaled_mfma 16x16x128 (%x[4] * %y) * (%x[1] * %y) + %c : vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf32>",
                "whose value is non-negative whose maximum value is 3",
            ),
        ],
    );
}

/// Which memory AMD's instructions read and write.
#[test]
fn wrong_memory_of_instructions() {
    let (global, shared) = ("memref<8xf16>", "memref<8xf16, #gpu.address_space<workgroup>>");
    let strided = "memref<8xf16, strided<[1], offset: ?>>";
    let args = format!(
        "%n: index, %g: {global}, %s: {shared}, %o: {strided}, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>"
    );
    let fat = "memref<8xf16, #amdgpu.address_space<fat_raw_buffer>>";
    read(&function(&args, &format!("%0 = amdgpu.fat_raw_buffer_cast %o resetOffset : {strided} to {fat}")));
    read(&function(&args, &format!("amdgpu.gather_to_lds %g[%n], %s[%n] : vector<2xf16>, {global}, {shared}")));
    let descriptor = |lists: &str| {
        format!("%0 = amdgpu.make_dma_descriptor %b {lists} : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor")
    };
    refused(
        &args,
        &[
            (
                &format!("%0 = amdgpu.fat_raw_buffer_cast %o : {strided} to {fat}"),
                "expected result type to be 'memref<8xf16, strided<[1], offset: ?>, #amdgpu.address_space<fat_raw_buffer>>' but got",
            ),
            (
                &format!("amdgpu.gather_to_lds %g[%n], %g[%n] : vector<2xf16>, {global}, {global}"),
                "destination memory address space must be Workgroup",
            ),
            (
                &format!("amdgpu.gather_to_lds %s[%n], %s[%n] : vector<2xf16>, {shared}, {shared}"),
                "source memory address space must be global or fat raw buffer",
            ),
            (
                &format!("amdgpu.gather_to_lds %g[%n], %s[%n] : vector<3xf16>, {global}, {shared}"),
                "must be 8, 16, 32, 96 or 128 bits",
            ),
            (
                &format!("%0 = amdgpu.transpose_load %g[%n] : {global} -> vector<4xf16>"),
                "source memory address space must be Workgroup",
            ),
            (&format!("%0 = amdgpu.transpose_load %s[%n] : {shared} -> vector<2xf16>"), "expected num of elements: 4"),
            (
                &format!("%0 = amdgpu.transpose_load %s[%n] : {shared} -> vector<4xf32>"),
                "Unsupported element type size for transpose load: 32 bits",
            ),
            (
                &format!("%0 = amdgpu.make_dma_base %g[%n], %g[%n] : {global}, {global} -> !amdgpu.tdm_base<f16>"),
                "lds memref must have workgroup",
            ),
            (
                &format!("%0 = amdgpu.make_dma_base %s[%n], %s[%n] : {shared}, {shared} -> !amdgpu.tdm_base<f16>"),
                "global memref must have global",
            ),
            (&descriptor("globalSize [2] globalStride [] sharedSize [2]"), "strides must not be empty."),
            (
                &descriptor("globalSize [2, 2] globalStride [1, 2] sharedSize [1, 1]"),
                "strides for the innermost dimension must be 1.",
            ),
            (
                &descriptor("globalSize [2, 2, 2] globalStride [1, 1] sharedSize [1, 1]"),
                "strides and sizes must have same rank.",
            ),
            (
                &descriptor("globalSize [2, 2] globalStride [1, 1] sharedSize [1]"),
                "tensor must have same rank as tile.",
            ),
            (
                &descriptor(
                    "globalSize [2, 2] globalStride [1, 1] sharedSize [1, 1] atomicBarrier(%u[%n] : memref<8xi32>)",
                ),
                "atomic barrier address must be in LDS.",
            ),
            (
                "%0 = amdgpu.make_gather_dma_descriptor %p[%w] globalSize [4, 4] globalStride [1, 1] sharedSize [1, 2] : !amdgpu.tdm_gather_base<i32, i16>, vector<8xi32> -> !amdgpu.tdm_descriptor",
                "indices' element type must match base's element type.",
            ),
            (
                "%0 = amdgpu.packed_trunc_2xfp8 %f, undef into %v[word 0] : f32 to vector<4xf8E4M3FN> into vector<4xf8E5M2>",
                "existing values must have same type as result",
            ),
            ("%0 = amdgpu.permlane_swap %f 8 : f32", "row_length attribute must either be 16 or 32."),
            (
                "%0 = amdgpu.swizzle_bitmode %n 1 2 4 : index",
                "operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1",
            ),
        ],
    );
    let base = "func.func private @f(!amdgpu.tdm_gather_base<i32, i64>)";
    assert!(complaint(base).contains("index type must be i16 or i32 but index type is 'i64'."));
}

/// What the lanes of NVIDIA's machines hold of a matrix, and copies to shared memory.
#[test]
fn wrong_tiles_and_copies() {
    let args = "%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>";
    let mma = |a: &str, shape: &str, ty: &str| {
        format!(
            "%0 = nvgpu.mma.sync(%{a}, %b, %b) {{mmaShape = [{shape}]}} : (vector<{ty}xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>"
        )
    };
    read(&function(args, &mma("a", "16, 8, 16", "4x2")));
    let load = |memory: &str, ty: &str, result: &str, transpose: bool| {
        format!(
            "%0 = nvgpu.ldmatrix %{memory}[%n, %n] {{numTiles = 4 : i32, transpose = {transpose}}} : {ty} -> vector<{result}>"
        )
    };
    let shared = "memref<16x16xf16, 3>";
    refused(
        args,
        &[
            (&mma("b", "16, 8, 16", "2x2"), "expected 256 warp-wide matrix A elements"),
            (&mma("a", "8, 8, 32", "4x2"), "expected 256 warp-wide matrix B elements"),
            (&mma("w", "16, 8, 16", "2x4"), "expected matrix A to be shaped (4 x 2)"),
            (&mma("v", "16, 8, 16", "4"), "matrixA must be 2 dimensional vector"),
            (&mma("a", "16, 8, 16", "4x2").replace("]}", "], tf32Enabled}"), "tf32 tensor cores only for F32 operands"),
            (&load("o", "memref<16x16xf16>", "4x2xf16", false), "IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)"),
            (&load("m", shared, "4x2xf32", false), "srcMemref and res have same element type"),
            (&load("m", shared, "4x1xf16", false), "expected vector register shape[1] = 2"),
            (&load("m", shared, "2x2xf16", false), "expected vector register shape[0] and numTiles to match"),
            (&load("m", shared, "4xf16", true), "results must be 2 dimensional vector"),
            (
                "%0 = nvgpu.device_async_copy %g[%n], %g[%n], 4 : memref<16xf32> to memref<16xf32>",
                "destination memref must have a memory space attribute",
            ),
            (
                "%0 = nvgpu.device_async_copy %g[%n], %m[%n, %n], 4 : memref<16xf32> to memref<16x16xf16, 3>",
                "must have the same element type",
            ),
            (
                "%0 = nvgpu.device_async_copy %g[%n, %n], %s[%n], 4 : memref<16xf32> to memref<16xf32, 3>",
                "expected 1 source indices, got 2",
            ),
            (
                "%0 = nvgpu.device_async_copy %g[%n], %s[%n], 3 : memref<16xf32> to memref<16xf32, 3>",
                "Requested copy elements is 3 with width 32. But copy elements could be one of 1, 2, 4.",
            ),
            (
                "%0 = nvgpu.device_async_copy %g[%n], %s[%n], 1 {bypassL1} : memref<16xf32> to memref<16xf32, 3>",
                "or set destination element to 4",
            ),
        ],
    );
}

/// Boxes of tensors fit their descriptors.
#[test]
fn wrong_boxes() {
    let verdict = |tensor: &str, swizzle: &str, memory: &str, at: &str| {
        let descriptor = format!(
            "!nvgpu.tensormap.descriptor<tensor = {tensor}, swizzle = {swizzle}, l2promo = none, oob = zero, interleave = none>"
        );
        let barrier = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>";
        let args = format!("%n: index, %d: {descriptor}, %b: {barrier}, %m: {memory}");
        let text = format!("nvgpu.tma.async.load %d[{at}], %b[%n] to %m : {descriptor}, {barrier} -> {memory}");
        complaint(&function(&args, &text))
    };
    let shared = "memref<32x8xf32, 3>";
    assert_eq!(verdict(shared, "swizzle_32b", shared, "%n, %n"), "");
    for (tensor, swizzle, memory, at, expected) in [
        (shared, "swizzle_64b", shared, "%n, %n", "must have last dimension of 64 bytes but it is 32 bytes"),
        (shared, "none", shared, "%n", "number of coordinates do not match with the rank"),
        (shared, "none", shared, "%n, %n, %n, %n, %n, %n", "Maximum 5 coordinates are supported."),
        (shared, "none", "memref<32x8xf32>", "%n, %n", "the destination memref has incorrect address space"),
        (shared, "none", "memref<256xf32, 3>", "%n, %n", "memref must have same rank"),
        (shared, "none", "memref<8x32xf32, 3>", "%n, %n", "memref and tensor map shapes mismatch"),
        ("memref<32x8xf32>", "none", shared, "%n, %n", "the tensor map descriptor has incorrect address space"),
        ("memref<512x8xf32, 3>", "none", shared, "%n, %n", "dimensions between 1 and 256 but it is 512"),
        ("memref<32x8xi8, 3>", "none", "memref<32x8xi8, 3>", "%n, %n", "must be a multiple of 16"),
    ] {
        let found = verdict(tensor, swizzle, memory, at);
        assert!(found.contains(expected), "{tensor} {memory}\n{found}");
    }
}
