//! What `llvm` and `nvvm` operations obey, in the words of `iree-opt` 3.12.0.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use raddle_ir::{Diag, parse, verify};

fn findings(text: &str) -> Vec<Diag> {
    parse(text).map_or_else(|diags| diags, |ir| verify(&ir))
}

/// The text is refused with these words; nothing is, where there are none.
fn check(text: &str, words: &str) {
    let found = findings(text);
    if words.is_empty() {
        assert_eq!(found, [], "{text}");
    } else {
        assert!(found.first().is_some_and(|diag| diag.message.contains(words)), "{words}\n{text}\n{found:?}");
    }
}

/// Lines in a function of pointers `%p`, `%g` and `%s`, integers `%i` and `%l`, floats `%f` and a vector `%v`.
fn lines(lines: &str, words: &str) {
    let args = "%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>";
    check(&format!("llvm.func @f({args}) {{\n  {lines}\n  llvm.return\n}}"), words);
}

/// Rows say which types operands and results have.
#[test]
fn sorts_of_types() {
    lines(
        "%0 = llvm.add %f, %f : f32",
        "operand #0 must be signless integer or LLVM dialect-compatible vector of signless integer",
    );
    lines("%0 = llvm.fadd %i, %i : i32", "operand #0 must be floating point LLVM type or");
    lines("%0 = llvm.ptrtoint %i : i32 to i64", "operand #0 must be LLVM pointer type or");
    lines("%0 = llvm.load %p : !llvm.ptr -> !llvm.target<\"other\">", "result #0 must be LLVM type with size");
    lines("%0 = llvm.load %p : !llvm.ptr -> tensor<4xi32>", "result #0 must be LLVM type with size");
    lines("%0 = llvm.load %p : !llvm.ptr -> !llvm.target<\"spirv.Event\">", "");
    lines(
        "%0 = llvm.mlir.zero : tensor<4xi32>",
        "result #0 must be LLVM dialect-compatible type, but got 'tensor<4xi32>'",
    );
    lines("%0 = llvm.mlir.undef : vector<2x3xf32>", "LLVM dialect-compatible type");
    lines("%0 = llvm.bitcast %v : vector<4xi32> to !llvm.struct<(i128)>", "LLVM-compatible non-aggregate type");
    lines(
        "nvvm.mapa %p, %i : !llvm.ptr -> !llvm.ptr<3>",
        "result #0 must be LLVM pointer in address space 0 or LLVM pointer in address space 7",
    );
    lines(
        "%0 = \"llvm.atomicrmw\"(%p, %i) {bin_op = 1 : i64, ordering = 2 : i64} : (!llvm.ptr, i32) -> i64",
        "op failed to verify that result #0 and operand #1 have the same type: 'i64', 'i32'",
    );
    lines(
        "%0 = \"llvm.extractelement\"(%v, %i) : (vector<4xi32>, i32) -> i64",
        "result type matches vector element type",
    );
    // A pointer to memory that the row names goes without its type.
    lines("rocdl.global.load.lds %g, %s, 4, 0, 0", "");
    lines("%0 = llvm.mlir.zero : !llvm.ptr<0>\nllvm.intr.trap\n%1 = llvm.ptrtoint %0 : !llvm.ptr to i64", "");
    lines("rocdl.load.to.lds %g, %p, 4, 0, 0 : !llvm.ptr<1>", "different type than prior uses");
}

/// Types that LLVM lacks are named where they stand.
#[test]
fn types() {
    check("llvm.func @f(!llvm.other) attributes {note = \"llvm.other\"}", "unknown LLVM type: other");
    check("llvm.func @\"llvm.other\"() -> !llvm.other", "unknown LLVM type: other");
    check("llvm.func @f(!llvm.void)", "invalid function argument type: `void`");
    check("llvm.func @f(!llvm.func<void ()>)", "invalid function argument type: `func<void ()>`");
    check("llvm.func @f() -> !llvm.array<4 by f32>", "malformed LLVM type: `array<4 by f32>`");
    lines("%0 = llvm.mlir.undef : !llvm.array<4 x void>", "invalid array element type");
    lines(
        "%0 = llvm.mlir.undef : !llvm.struct<\"a\", (i32)>\n%1 = llvm.mlir.undef : !llvm.struct<\"a\", (i64)>",
        "identified type already used with a different body",
    );
    lines("%0 = llvm.mlir.undef : !llvm.struct<\"a\", (i32)>\n%1 = llvm.mlir.undef : !llvm.struct<\"a\", (i32)>", "");
    let deep = format!("!llvm.{}i8{}", "array<1 x ".repeat(100_000), ">".repeat(100_000));
    lines(&format!("%0 = llvm.mlir.undef : {deep}"), "nested");
}

/// Functions have linkage, bodies and attributes that fit.
#[test]
fn functions() {
    let cases = [
        ("llvm.func common @f()", "functions cannot have 'common' linkage"),
        ("llvm.func internal @f()", "external functions must have 'external' or 'extern_weak' linkage"),
        ("llvm.func @f(tensor<*xf32>)", "expected LLVM type for function arguments"),
        ("llvm.func @f() -> index", "expected LLVM type for function results"),
        ("llvm.func @f() -> (i64, i64)", "expected zero or one function result"),
        ("llvm.func @f() -> ()", ""),
        ("llvm.func @f(i32, ..., i32)", "variadic arguments must be in the end"),
        ("llvm.func cc_12 @f()", "expected valid '@'-identifier"),
        ("\"llvm.func\"() {function_type = !llvm.func<void ()>, sym_name = \"f\"} : () -> ()", "requires one region"),
        ("llvm.func @f() attributes {no_inline, always_inline} { llvm.return }", "attributes are incompatible"),
        ("llvm.func @f() attributes {optimize_none} { llvm.return }", "with optimize_none must also be no_inline"),
        ("llvm.func @f(%a: i32) -> i32 { llvm.return }", "expected 1 operand"),
        ("llvm.func @f(%a: i32) { llvm.return %a : i32 }", "expected no operands"),
        ("llvm.func @f(%a: i32) -> i64 { llvm.return %a : i32 }", "mismatching result types"),
        // A function of another dialect may return like this, too.
        ("func.func @f() { llvm.return }", ""),
        ("llvm.func @f() comdat(@g) { llvm.return }", "expected comdat symbol"),
        ("llvm.func @f() { llvm.blocktag <id = 1> llvm.blocktag <id = 1> llvm.return }", "duplicate block tag '1'"),
        (
            "llvm.func @f() attributes {target_features = #llvm.target_features<[\"sme\"]>}",
            "must start with '+' or '-'",
        ),
        ("llvm.func @f() attributes {target_features = #llvm.target_features<[\"+sme\"]>}", ""),
        ("llvm.func @f() { llvm.linker_options [\"a\"] llvm.return }", "must appear at the module level"),
        ("func.func private @f() attributes {nvvm.kernel}", "'nvvm.kernel' attribute attached to unexpected op"),
        ("llvm.func @f() attributes {nvvm.maxntid = 1 : i32}", "must be integer array with maximum 3 index"),
        ("llvm.func @f() attributes {nvvm.maxnreg = 1 : i32}", ""),
        ("llvm.func @f() attributes {nvvm.blocksareclusters}", "must be used along with 'nvvm.reqntid'"),
    ];
    for (text, words) in cases {
        check(text, words);
    }
    check(
        "\"llvm.func\"() ({}) {sym_name = \"f\", CConv = #llvm.cconv<cc_12>, function_type = !llvm.func<void ()>} : () -> ()",
        "cannot have this value for `CConv`",
    );
}

/// What is said of arguments and results fits their types.
#[test]
fn arguments_and_results() {
    let cases = [
        ("(i32 {llvm.noalias})", "\"llvm.noalias\" attribute attached to non-pointer LLVM type"),
        ("(!llvm.ptr {llvm.noalias = 1})", "\"llvm.noalias\" should be a unit attribute"),
        ("(!llvm.ptr {llvm.byval})", "\"llvm.byval\" should be a type attribute"),
        ("(!llvm.ptr {llvm.align = \"4\"})", "\"llvm.align\" should be an integer attribute"),
        ("(f32 {llvm.signext})", "\"llvm.signext\" attribute attached to non-integer LLVM type"),
        ("(f32 {llvm.noundef, other.note = 3})", ""),
        ("() -> (!llvm.ptr {llvm.readonly})", "\"llvm.readonly\" is not a valid result attribute"),
        ("() -> (!llvm.ptr {llvm.align = 4})", ""),
        ("() -> (!llvm.void {llvm.noundef})", "got 1, but expected 0"),
        ("(!llvm.ptr {llvm.byval = i32, nvvm.grid_constant})", "must be present only on kernel arguments"),
        ("(!llvm.ptr {nvvm.grid_constant}) attributes {nvvm.kernel}", "to also have attribute 'llvm.byval'"),
        ("(!llvm.ptr {llvm.byval = i32, nvvm.grid_constant}) attributes {nvvm.kernel}", ""),
    ];
    for (signature, words) in cases {
        check(&format!("llvm.func @f{signature}"), words);
    }
    // What is no type of LLVM may become one.
    check("func.func private @f(memref<4xf32> {llvm.noalias})", "");
    check("func.func private @f(i32 {llvm.noalias})", "attached to non-pointer LLVM type");
}

/// Constants are of the type that they fill.
#[test]
fn constants() {
    let cases = [
        ("1 : i32) : i64", ""),
        ("1 : index) : f32", "expected integer type"),
        ("1.0 : bf16) : f16", "attribute and type have different float semantics"),
        ("1.0 : f16) : i32", "expected integer type of width 16"),
        ("1.0 : f16) : i16", ""),
        ("\"foo\") : !llvm.array<3 x i8>", ""),
        ("\"foo\") : !llvm.ptr", "expected array type of 3 i8 elements"),
        ("@f) : !llvm.ptr", "only supports integer, float, string or elements attributes"),
        ("1 : i32) : !llvm.target<\"t\">", "does not support target extension type"),
        ("dense<1> : tensor<2xi32>) : vector<5xi32>", "different number of elements: 5 vs. 2"),
        ("dense<[1, 2]> : tensor<2xi32>) : vector<[2]xi32>", "scalable vector type requires a splat attribute"),
        ("dense<1> : tensor<4xi32>) : !llvm.array<2 x vector<2xi32>>", ""),
        ("dense<1> : tensor<4xi32>) : !llvm.array<4 x f32>", "expected integer element type"),
        ("dense<1.0> : tensor<1xf32>) : f32", "expected vector or array type"),
        ("[1.0 : f64]) : !llvm.struct<(f64, f64)>", "expected array attribute of size 2"),
        ("[1.0 : f64, 1.0 : f32]) : !llvm.struct<(f64, f64)>", "struct element at index 1 is of wrong type"),
        ("[1.0 : f64, 1 : i8]) : !llvm.struct<(f64, i8)>", ""),
        ("1.0 : f64) : !llvm.struct<(f64)>", "expected array attribute for struct type"),
        ("[1 : i32]) : i32", "expected array or struct type for array attribute"),
        ("[1.0]) : !llvm.array<1 x f64>", "must have a struct element type"),
        ("[[1 : i32]]) : !llvm.array<2 x struct<(i32)>>", "does not match array type size in dimension 0: 1 vs. 2"),
        ("[[1 : i32]]) : !llvm.array<1 x struct<(i32, i32)>>", "at index 0 must match struct size: 1 vs. 2"),
        ("[[1 : i32]]) : !llvm.array<1 x struct<(i32)>>", ""),
    ];
    for (rest, words) in cases {
        lines(&format!("%0 = llvm.mlir.constant({rest}"), words);
    }
}

/// Globals and aliases start as what their types say, and computing that does nothing else.
#[test]
fn globals() {
    let cases = [
        ("llvm.mlir.global @g(1 : i32) {alignment = 63} : i32", "alignment attribute is not a power of 2"),
        ("llvm.mlir.global @g() : !llvm.label", "valid element type for an LLVM global"),
        (
            "llvm.mlir.global @g(\"ab\") : !llvm.array<3 x i8>",
            "an i8 array type of the length equal to that of the string",
        ),
        ("llvm.mlir.global @g(\"ab\")", ""),
        ("llvm.mlir.global @g(1 : i32)", "type can only be omitted for string globals"),
        ("llvm.mlir.global @g(1 : i32) : i32, i32", "expected zero or one type"),
        ("llvm.mlir.global common @g(1 : i32) : i32", "expected zero value for 'common' linkage"),
        ("llvm.mlir.global common @g(dense<0> : tensor<2xi32>) : !llvm.array<2 x i32>", ""),
        ("llvm.mlir.global appending @g() : i32", "expected array type for 'appending' linkage"),
        ("llvm.mlir.global @g() {addr_space = -1 : i32} : i32", "whose value is non-negative"),
        ("llvm.mlir.global @g(0 : i64) : !llvm.target<\"spirv.Image\">", "only be initialized with zero-initializer"),
        ("func.func @f() { llvm.mlir.global @g() : i32 return }", "must have the SymbolTable trait"),
        ("llvm.mlir.global @g() : i32 { llvm.return }", "initializer region cannot return void"),
        (
            "llvm.mlir.alias @g : !llvm.label { %0 = llvm.mlir.zero : !llvm.ptr llvm.return %0 : !llvm.ptr }",
            "for an LLVM global alias",
        ),
        (
            "llvm.mlir.alias common @g : i32 { %0 = llvm.mlir.zero : !llvm.ptr llvm.return %0 : !llvm.ptr }",
            "'common' linkage not supported in aliases",
        ),
        ("llvm.mlir.alias @g : i32 { %0 = llvm.mlir.zero : i32 llvm.return %0 : i32 }", "must always return a pointer"),
        ("llvm.comdat @c { llvm.comdat_selector @s any }", ""),
        (
            "llvm.mlir.global_ctors ctors = [@f], priorities = [], data = [#llvm.zero]",
            "must have the same number of elements",
        ),
        (
            "llvm.mlir.global_dtors dtors = [@f], priorities = [0 : i32], data = [1 : i32]",
            "data element must be symbol or #llvm.zero",
        ),
        (
            "llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]",
            "'f' does not reference a valid LLVM function",
        ),
        (
            "llvm.func @f()\nllvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]",
            "'f' does not have a definition",
        ),
        ("module attributes {llvm.data_layout = \"#x\"} {}", "invalid data layout descriptor"),
        ("module attributes {llvm.data_layout = \"e-p:64:64-i64:64-n8:16:32:64-S128\"} {}", ""),
        (
            "llvm.module_flags [#llvm.mlir.module_flag<append, \"CG Profile\", 3 : i64>]",
            "expects an array of '#llvm.cgprofile_entry'",
        ),
    ];
    for (text, words) in cases {
        check(text, words);
    }
    let global = |lines: &str| format!("llvm.mlir.global @g() : i32 {{\n{lines}\nllvm.return %0 : i32\n}}");
    check(&global("%1 = llvm.mlir.constant(4 : i32) : i32\n%0 = llvm.sdiv %1, %1 : i32"), "");
    let load = "%1 = llvm.mlir.zero : !llvm.ptr\n%0 = llvm.load %1 : !llvm.ptr -> i32";
    check(&global(load), "ops with side effects not allowed in global initializers");
    check(&global("%0 = llvm.mlir.zero : i32").replace(": i32 {", ": i64 {"), "'i32' does not match global type 'i64'");
    check(
        &global("%0 = llvm.mlir.zero : i32").replace("()", "(1 : i32)"),
        "cannot have both initializer value and region",
    );
}

/// Calls fit what they call.
#[test]
fn calls() {
    let cases = [
        ("llvm.call @none() : () -> ()", "'none' does not reference a symbol in the current scope"),
        ("llvm.call @h() : () -> ()", "'h' does not reference a valid LLVM function"),
        ("llvm.call @g(%i) : (i32) -> i32", ""),
        ("llvm.call @g() : () -> i32", "incorrect number of operands (0) for callee (expecting: 1)"),
        ("llvm.call @g(%l) : (i64) -> i32", "operand type mismatch for operand 0: 'i64' != 'i32'"),
        ("llvm.call @g(%i) : (i32) -> ()", "expected function call to produce a value"),
        ("llvm.call @g(%i) : (i32) -> i64", "result type mismatch: 'i64' != 'i32'"),
        ("llvm.call @g(%i) : (i32) -> (i32, i32)", "expected function with 0 or 1 result"),
        ("llvm.call @g(%i) : (i32) -> (!llvm.void)", "expected a non-void result type"),
        ("llvm.call @v() : () -> ()", "missing var_callee_type attribute for vararg call"),
        ("llvm.call @v(%i) vararg(!llvm.func<void (i32, ...)>) : (i32) -> ()", ""),
        ("llvm.call @v(%i) vararg(!llvm.func<void (i32)>) : (i32) -> ()", "to be a variadic function type"),
        (
            "llvm.call @v(%i) vararg(!llvm.func<void (i64, ...)>) : (i32) -> ()",
            "parameter type mismatch: 'i64' != 'i32'",
        ),
        ("llvm.call @v(%i) vararg(!llvm.func<i8 (i32, ...)>) : (i32) -> ()", "expected var_callee_type to return void"),
        ("llvm.call %p(%i) : !llvm.ptr, (i32) -> ()", ""),
        ("llvm.call %i(%i) : i32, (i32) -> ()", "indirect call expects a pointer as callee: 'i32'"),
        ("llvm.call %p(%i) : (i32) -> ()", "expected indirect call to have 2 trailing types"),
        ("llvm.call @w() [\"tag\"(%i : i32, i32)] : () -> ()", "expected 1 types for operand bundle operands"),
        ("%0 = llvm.call_intrinsic \"sin\"(%f) : (f32) -> f32", "intrinsic name must start with 'llvm.'"),
        (
            "%0 = llvm.inline_asm tail_call_kind = <musttail> \"\", \"=r,r\" %i : (i32) -> i32",
            "'musttail' is not supported",
        ),
        ("%0 = llvm.mlir.addressof @x : !llvm.ptr<4>", "pointer address space must match"),
        ("%0 = llvm.mlir.addressof @x : !llvm.ptr<3>", ""),
        ("%0 = llvm.mlir.addressof @h : !llvm.ptr", "must reference a global defined by 'llvm.mlir.global'"),
        ("%0 = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr", "expects an existing block label"),
        ("%0 = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr\nllvm.blocktag <id = 1>", ""),
    ];
    for (line, words) in cases {
        let args = "%p: !llvm.ptr, %i: i32, %l: i64, %f: f32";
        let others = "llvm.func @g(i32) -> i32\nllvm.func @v(i32, ...)\nllvm.func @w()\nfunc.func private @h()\n\
                      llvm.mlir.global @x() {addr_space = 3 : i32} : i32";
        check(&format!("{others}\nllvm.func @f({args}) {{\n  {line}\n  llvm.return\n}}"), words);
    }
}

/// Addresses go into types, and accesses may be atomic where hardware can.
#[test]
fn memory() {
    let cases = [
        ("%0 = llvm.getelementptr %p[%l, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, vector<4xf32>)>", ""),
        ("%0 = llvm.getelementptr %p[0, 1, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, vector<4xf32>)>", ""),
        (
            "%0 = llvm.getelementptr %p[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>",
            "index 1 indexing a struct is out of bounds",
        ),
        (
            "%0 = llvm.getelementptr %p[0, %l] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32)>",
            "expected index 1 indexing a struct to be constant",
        ),
        ("%0 = llvm.getelementptr %p[0, 4] : (!llvm.ptr) -> !llvm.ptr, i32", "type 'i32' cannot be indexed (index #1)"),
        (
            "%0 = llvm.getelementptr inbounds_flag %p[1] : (!llvm.ptr) -> !llvm.ptr, i32",
            "'inbounds_flag' cannot be used directly",
        ),
        ("%0 = llvm.getelementptr %p[%l] : () -> !llvm.ptr, i32", "got 2 operands and 0 types"),
        ("%0 = llvm.getelementptr %p[1] : !llvm.ptr", "expected builtin.function, but found `!llvm.ptr`"),
        ("%0 = llvm.alloca %i x i32 : () -> ()", "expected trailing function type with one argument and one result"),
        ("%0 = llvm.alloca %i x !llvm.target<\"t\"> : (i32) -> !llvm.ptr", "cannot be used in alloca"),
        ("%0 = llvm.load %p {syncscope = \"agent\"} : !llvm.ptr -> i32", "expected syncscope to be null"),
        ("%0 = llvm.load %p atomic release {alignment = 4 : i64} : !llvm.ptr -> i32", "unsupported ordering 'release'"),
        (
            "%0 = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i33",
            "unsupported type 'i33' for atomic access",
        ),
        ("%0 = llvm.load %p atomic monotonic : !llvm.ptr -> i32", "expected alignment for atomic access"),
        ("%0 = llvm.load %p dereferenceable<bytes = 8> : !llvm.ptr -> i64", "return a single LLVM pointer type"),
        ("llvm.store %i, %p atomic acquire {alignment = 4 : i64} : i32, !llvm.ptr", "unsupported ordering 'acquire'"),
        (
            "%0 = llvm.load %p {access_groups = [@a]} : !llvm.ptr -> i32",
            "attribute 'access_groups' failed to satisfy constraint: LLVM dialect access group",
        ),
        ("%0 = llvm.atomicrmw fadd %p, %i monotonic : !llvm.ptr, i32", "expected LLVM IR floating point type"),
        ("%0 = llvm.atomicrmw max %p, %f monotonic : !llvm.ptr, f32", "expected LLVM IR integer type"),
        ("%0 = llvm.atomicrmw add %p, %i unordered : !llvm.ptr, i32", "expected at least 'monotonic' ordering"),
        ("%0 = llvm.cmpxchg %p, %i, %i acq_rel release : !llvm.ptr, i32", "failure ordering cannot be 'release'"),
        ("%0 = llvm.cmpxchg %p, %i, %i unordered monotonic : !llvm.ptr, i32", "ordering must be at least 'monotonic'"),
        (
            "%0 = \"llvm.cmpxchg\"(%p, %i, %i) {success_ordering = 2 : i64, failure_ordering = 2 : i64} : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i32)>",
            "consisting of the type of operand #2 and a bool",
        ),
        ("llvm.fence monotonic", "can be given only acquire, release, acq_rel, and seq_cst"),
    ];
    for (line, words) in cases {
        lines(line, words);
    }
}

/// Casts, parts of vectors and branches.
#[test]
fn values() {
    let cases = [
        ("%0 = llvm.zext %l : i64 to i32", "smaller or equal to the integer width of the input type"),
        ("%0 = llvm.sext %i : i32 to vector<1xi64>", "input type is an integer but output type is a vector"),
        ("%0 = llvm.zext %v : vector<4xi32> to vector<2xi64>", "input and output vectors are of incompatible shape"),
        ("%0 = llvm.bitcast %p : !llvm.ptr to i64", "can only cast pointers from and to pointers"),
        ("%0 = llvm.bitcast %p : !llvm.ptr to vector<1x!llvm.ptr>", "cannot cast pointer to vector of pointers"),
        ("%0 = llvm.bitcast %g : !llvm.ptr<1> to !llvm.ptr", "cannot cast pointers of different address spaces"),
        ("%0 = llvm.intr.vector.insert %v, %v[0] : vector<4xi32> into vector<4xi32>", ""),
        (
            "%0 = llvm.intr.vector.extract %v[0] : vector<[2]xi32> from vector<4xi32>",
            "it is not extracting scalable from fixed-length vectors",
        ),
        (
            "%0 = llvm.intr.vector.extract %v[0] : vector<5000xi32> from vector<4xi32>",
            "vectors are not bigger than 2^17 bits",
        ),
        (
            "%0 = \"llvm.intr.vector.interleave2\"(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>",
            "twice as many elements",
        ),
        ("%0 = llvm.intr.sincos(%f) : (f32) -> !llvm.struct<(f32, f64)>", "an homogeneous struct with two elements"),
        ("%0 = llvm.intr.sincos(%f) : (f32) -> !llvm.struct<(f32, f32)>", ""),
        (
            "llvm.br ^a\n^a:\nllvm.switch %i : i32, ^b [1: ^b] {branch_weights = array<i32: 1>}\n^b:",
            "number of branch weights to match number of successors: 1 vs 2",
        ),
        ("%0 = llvm.icmp \"foo\" %i, %i : i32", "'foo' is an incorrect value of the 'predicate' attribute"),
        ("%0 = llvm.mlir.addressof \"foo\" : !llvm.ptr", "invalid kind of attribute specified"),
    ];
    for (line, words) in cases {
        lines(line, words);
    }
}

/// Instructions of NVIDIA's machines take what they can.
#[test]
fn nvvm() {
    let cases = [
        (
            "nvvm.cp.async.shared.global %s, %g, 32, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>",
            "expected byte size to be either 4, 8 or 16",
        ),
        (
            "nvvm.cp.async.shared.global %s, %g, 8, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>",
            "CG cache modifier is only support for 16 bytes",
        ),
        ("nvvm.cp.async.shared.global %s, %g, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>", ""),
        ("%0 = nvvm.mapa %p, %i : !llvm.ptr -> !llvm.ptr<7>", "failed to verify that Valid address-space check"),
        ("%0 = nvvm.mapa %s, %i : !llvm.ptr<3> -> !llvm.ptr<7>", ""),
        (
            "%0 = nvvm.convert.f32x2.to.f6x2 %f, %f : vector<2xi8> (f8E5M2)",
            "Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f32x2 to f6x2.",
        ),
        ("%0 = nvvm.convert.f32x2.to.f4x2 %f, %f : i8 (f8E5M2)", "Only 'f4E2M1FN' type is supported"),
        (
            "%0 = nvvm.convert.f32x2.to.f16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>",
            "random_bits is required",
        ),
        ("nvvm.st.bulk %p, size = %l, init = 3 : !llvm.ptr", "only 0 is supported for initVal, got 3"),
        ("nvvm.pmevent id = 16", "`id` must be between 0 and 15"),
        ("nvvm.setmaxregister increase 20", "new register size must be multiple of 8"),
        ("nvvm.setmaxregister increase 16", "in between 24 to 256"),
        (
            "nvvm.cp.async.bulk.tensor.prefetch %p, box[%i, %i] im2col[] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr",
            "the tensor has to be at least 3-dimensional",
        ),
    ];
    for (line, words) in cases {
        lines(line, words);
    }
    let struct_i32_i8 = "!llvm.struct<(i32, i8)>";
    lines(
        &format!("%0 = nvvm.match.sync all %i, %i : i32 -> {struct_i32_i8}"),
        "returns a two element struct with first",
    );
    lines(&format!("%0 = nvvm.match.sync any %i, %i : i32 -> {struct_i32_i8}"), "match.sync 'any' returns an i32");
    lines("%0 = nvvm.match.sync all %i, %i : i32 -> !llvm.struct<(i32, i1)>", "");
    lines("%0 = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> i32", "to be of type 'f32' but got 'i32' instead");
    lines("%0 = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> !llvm.struct<(f32, i1)>", "attribute must be specified");
    lines("%0 = nvvm.shfl.sync bfly %i, %f, %i, %i {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>", "");
    lines("%0 = nvvm.convert.float.to.tf32 %f", "Only {rn,rz,rna} rounding modes supported");
    let prefetches = [
        ("level = L1, %p : !llvm.ptr", ""),
        ("%p : !llvm.ptr", "requires specification of either cache level or tensormap"),
        ("level = L1, tensormap, %p : !llvm.ptr", "cannot specify both tensormap and cache level"),
        ("tensormap, %g : !llvm.ptr<1>", "prefetch tensormap requires a generic or constant pointer"),
        ("level = L2 uniform, %p : !llvm.ptr", "the only supported uniform cache level is L1"),
        ("level = L1, evict_priority = evict_last, %g : !llvm.ptr<1>", "supported only for cache level L2"),
        ("level = L2, evict_priority = evict_first, %g : !llvm.ptr<1>", "only evict_last and evict_normal"),
        ("level = L2, evict_priority = evict_last, %g : !llvm.ptr<1>", ""),
    ];
    for (rest, words) in prefetches {
        lines(&format!("nvvm.prefetch {rest}"), words);
    }
    let module = |target: &str| {
        let body = "func.func @f() { nvvm.wgmma.fence.aligned return }";
        format!("module attributes {{gpu.container_module}} {{ gpu.module @m [#nvvm.target<{target}>] {{ {body} }} }}")
    };
    check(&module("chip = \"sm_90a\""), "");
    check(&module("chip = \"sm_90\""), "'nvvm.wgmma.fence.aligned' op is not supported on sm_90");
    check(&module("O = 4, chip = \"sm_90a\""), "The optimization level must be a number between 0 and 3");
}

/// Products of warp groups have rows of types and extents.
#[test]
fn warp_group_products() {
    let product = |mnk: [u32; 3], types: [&str; 3], layout_a: &str, fields: usize| {
        let ([m, n, k], [d, a, b]) = (mnk, types);
        let ty = format!("!llvm.struct<({})>", vec![if d == "s32" { "i32" } else { d }; fields].join(", "));
        let sides = format!("A [<{a}>, <one>, <{layout_a}>], B [<{b}>, <one>, <col>]");
        let shape = format!("#nvvm.shape<m = {m}, n = {n}, k = {k}>");
        format!(
            "%0 = llvm.mlir.undef : {ty}\n%1 = nvvm.wgmma.mma_async %l, %l, %0, {shape}, D [<{d}>, <zero>], {sides} : {ty} -> {ty}"
        )
    };
    lines(&product([64, 16, 16], ["f32", "f16", "f16"], "row", 8), "");
    lines(&product([64, 24, 32], ["s32", "s8", "u8"], "row", 12), "");
    lines(&product([32, 16, 16], ["f32", "f16", "f16"], "row", 8), "shape 'm' must be 64");
    lines(&product([64, 16, 8], ["f32", "f16", "f16"], "row", 8), "shape 'k' must be 16 for input type f16");
    lines(&product([64, 40, 32], ["s32", "s8", "u8"], "row", 20), "has input type s8 n is set to 40");
    lines(&product([64, 16, 16], ["f32", "bf16", "f16"], "row", 8), "f32 += bf16 * f16, it is not supported");
    lines(&product([64, 16, 8], ["f32", "tf32", "tf32"], "col", 8), "requires transpose");
    lines(&product([64, 16, 16], ["f32", "f16", "f16"], "row", 7), "results 8, however output struct has 7 elements");
}
