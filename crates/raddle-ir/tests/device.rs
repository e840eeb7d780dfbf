//! Kernels, what launches them, and what they become for a vendor's compiler, spelled as `iree-opt` 3.12.0 prints them.

mod common;

use raddle_ir::{PrintOptions, print};

use common::{complaint, function, read, stays};

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
gpu.launch_func @m::@k blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
%2 = gpu.launch_func async [%1] @m::@k clusters in (%arg3, %arg3, %arg3) blocks in (%arg3, %arg3, %arg3) threads in (%arg3, %arg3, %arg3) : i64 args(%arg2 : f32, %arg1 : memref<?xf32>)
gpu.wait [%2]";
    let text = function(args, lines);
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
