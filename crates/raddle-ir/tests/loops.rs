//! `affine`, `scf`, `arith` and `complex`: custom forms that stay as they are, and programs that mean nothing.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use raddle_ir::{Ir, PrintOptions, parse, print};

use common::{finding, function, read, unchanged};

/// What is wrong, and with which line of the program.
fn refused(args: &str, lines: &str) -> (usize, String) {
    let text = function(args, lines);
    let diag = finding(&text).unwrap_or_else(|| panic!("this is fine: {text}"));
    let start = diag.span.unwrap().start as usize;
    (text[..start].matches('\n').count() - 1, diag.message)
}

#[track_caller]
fn refuses(args: &str, lines: &str, line: usize, words: &str) {
    let (found, message) = refused(args, lines);
    assert!(found == line && message.contains(words), "line {found}: {message}");
}

/// A parallel loop has groups of expressions as bounds, in which a value is one dimension wherever it stands.
#[test]
fn affine_parallel_loops() {
    let args = "%arg0: index, %arg1: index, %arg2: memref<8x8xf32>";
    let lines = "affine.parallel (%arg3, %arg4) = (max(%arg0, %arg1 + 1), 0) to (min(%arg1, symbol(%arg0) * 2), 100) \
                 step (2, 1) {\n}";
    let generic = unchanged(args, lines);
    for part in [
        "\"affine.parallel\"(%arg0, %arg1, %arg1, %arg0)",
        "lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>",
        "lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>",
        "upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>",
        "reductions = [], steps = [2, 1]",
    ] {
        assert!(generic.contains(part), "{part} in\n{generic}");
    }
    let sum = "%0:2 = affine.parallel (%arg3) = (0) to (%arg0) reduce (\"addf\", \"minimumf\") -> (f32, f32) {\n  \
               %1 = affine.load %arg2[%arg3, 0] : memref<8x8xf32>\n  affine.yield %1, %1 : f32, f32\n} {tag}";
    assert!(unchanged(args, sum).contains("reductions = [0, 8]"));
    unchanged(args, "affine.parallel () = () to () {\n}");

    refuses(args, &sum.replace("minimumf", "least"), 1, "invalid reduction value: \"least\"");
    refuses(args, &sum.replace("minimumf", "mins"), 1, "result type cannot match reduction attribute");
    refuses(args, &sum.replace("%1, %1 : f32, f32", "%1 : f32"), 3, "same number of results");
    refuses(args, &lines.replace("step (2, 1)", "step (2)"), 1, "the number of steps (1) must all match");
    refuses(args, &lines.replace("max(%arg0, %arg1 + 1)", "max()"), 1, "lower bound map to have at least one result");
    let huge = generic.replace("dense<[2, 1]> : tensor<2xi32>", "dense<1> : tensor<9999999999xi32>");
    assert!(parse(&huge).is_err());
}

/// Prefetches and copies by affine indices.
#[test]
fn affine_copies() {
    let args = "%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32, 1>, %arg2: memref<1xi32>, %arg3: index";
    let lines = "affine.prefetch %arg0[%arg3, symbol(%arg3) + 1], write, locality<3>, instr {tag} : memref<8x8xf32>\n\
                 affine.dma_start %arg0[%arg3 + 1, 0], %arg1[%arg3, 2], %arg2[0], %arg3, %arg3, %arg3 : \
                 memref<8x8xf32>, memref<8x8xf32, 1>, memref<1xi32>\n\
                 affine.dma_wait %arg2[0], %arg3 : memref<1xi32>";
    let generic = unchanged(args, lines);
    assert!(generic.contains("isDataCache = false, isWrite = true, localityHint = 3 : i32"), "{generic}");
    assert!(
        generic.contains("\"affine.dma_start\"(%arg0, %arg3, %arg1, %arg3, %arg2, %arg3, %arg3, %arg3)"),
        "{generic}"
    );
    refuses(args, &lines.replace("write,", "change,"), 1, "rw specifier has to be 'read' or 'write'");
    refuses(args, &lines.replace("instr", "code"), 1, "cache type has to be 'data' or 'instr'");
    refuses(args, &lines.replace("locality<3>", "locality<4>"), 1, "0 to 3");
    refuses(args, &lines.replace("%arg3, %arg3, %arg3 :", "%arg3, %arg3 :"), 2, "two stride related operands");
}

/// Symbols are what the top of a function knows; dimensions are also indices of affine loops and what is made of them.
#[test]
fn dimensions_and_symbols() {
    let args = "%arg0: memref<8xf32>, %arg1: index";
    let inside = |line: &str| format!("affine.for %arg2 = 0 to 8 {{\n  {line}\n}}");
    let load = |made: &str| inside(&format!("{made}\n  %1 = affine.load %arg0[%0] : memref<8xf32>"));
    for made in [
        "%0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%arg2)[%arg1]",
        "%0 = arith.muli %arg1, %arg1 : index",
        "%0 = affine.linearize_index [%arg2, %arg1] by (8, 8) : index",
        "%c0 = arith.constant 0 : index\n  %0 = memref.dim %arg0, %c0 : memref<8xf32>",
        "%c0 = arith.constant 0 : index\n  %2 = arith.addi %arg1, %c0 : index\n  %3 = memref.alloc(%2) : memref<?xf32>\n  \
         %0 = memref.dim %3, %c0 : memref<?xf32>",
    ] {
        read(&function(args, &load(made)));
    }
    for made in ["%0 = arith.muli %arg2, %arg1 : index", "%0 = \"my.index\"() : () -> index"] {
        refuses(args, &load(made), 3, "'affine.load' op operand cannot be used as a dimension id");
    }
    let bound = "affine.for %arg3 = 0 to affine_map<(d0)[s0] -> (d0 + s0)>(%arg2)[%arg2] {\n  }";
    refuses(args, &inside(bound), 2, "'affine.for' op operand cannot be used as a symbol");
    let branch = "affine.if affine_set<()[s0] : (s0 >= 0)>()[%arg2] {\n  }";
    refuses(args, &inside(branch), 2, "'affine.if' op operand cannot be used as a symbol");
    let apply = "%0 = affine.apply affine_map<()[s0] -> (s0)>()[%arg2]";
    refuses(args, &inside(apply), 2, "dimensional operand cannot be used as a symbol");
    // What is computed from itself has no order, which is found elsewhere.
    let circle = "\"my.op\"() ({\n  %0 = arith.addi %1, %1 : index\n  %1 = arith.addi %0, %0 : index\n  \
                  %2 = affine.load %arg0[%0] : memref<8xf32>\n}) : () -> ()";
    refuses(args, circle, 4, "dimension id");
    let circle = "\"my.op\"() ({\n  %0 = memref.cast %1 : memref<?xf32> to memref<?xf32>\n  \
                  %1 = memref.cast %0 : memref<?xf32> to memref<?xf32>\n  %c0 = arith.constant 0 : index\n  \
                  %2 = memref.dim %0, %c0 : memref<?xf32>\n  %3 = affine.load %arg0[%2] : memref<8xf32>\n}) : () -> ()";
    refuses(args, circle, 6, "dimension id");
    let broken =
        circle.replace("memref.cast %0 : memref<?xf32> to memref<?xf32>", "\"memref.alloc\"() : () -> memref<?xf32>");
    refuses(args, &broken, 3, "operandSegmentSizes");
}

/// Long chains of what follows from one another are looked at once, and without recursion.
#[test]
fn long_chains_of_indices() {
    let mut lines = "affine.for %i = 0 to 8 {\n%v0 = arith.constant 1 : index\n".to_owned();
    let n = 20_000;
    for at in 1..n {
        lines += &format!("%v{at} = arith.addi %v{}, %v{} : index\n", at - 1, at - 1);
    }
    lines += &format!("%x = affine.load %m[%v{}] : memref<8xf32>\n}}", n - 1);
    read(&function("%m: memref<8xf32>", &lines));
}

/// Bounds and steps of affine loops, and maps that choose among results.
#[test]
fn affine_bounds() {
    let args = "%arg0: memref<8xf32>, %arg1: index";
    let two = "affine.for %arg2 = 0 to min affine_map<(d0) -> (d0, 8)>(%arg1) {\n}";
    refuses(
        args,
        &two.replace("min ", ""),
        1,
        "upper loop bound affine map with multiple results requires 'min' prefix",
    );
    refuses(args, &two.replace("(d0, 8)", "()"), 1, "expected upper bound map to have at least one result");
    refuses(args, "affine.for %arg2 = 0 to 8 step -1 {\n}", 1, "expected step to be representable as a positive");
    let none = "%0 = affine.max affine_map<(d0) -> ()>(%arg1)";
    refuses(args, none, 1, "'affine.max' op affine map expect at least one result");
    let bare =
        "\"affine.if\"() <{condition = affine_set<() : ()>}> ({\n^bb0(%x: index):\n  affine.yield\n}, {\n}) : () -> ()";
    refuses(args, bare, 1, "region #0 should have no arguments");
    let vector = "%0 = affine.vector_load %arg0[0] : memref<8xf32>, vector<4xf16>";
    refuses(args, vector, 1, "requires memref and vector types of the same elemental type");
}

/// Reductions of parallel loops: one region for each result.
#[test]
fn reductions() {
    let args = "%arg0: index, %arg1: f32";
    let lines = "%0 = scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0) init (%arg1) -> f32 {\n  \
                 scf.reduce(%arg1 : f32) {\n  ^bb0(%arg3: f32, %arg4: f32):\n    %1 = arith.addf %arg3, %arg4 : f32\n    \
                 scf.reduce.return %1 : f32\n  }\n}";
    unchanged(args, lines);
    refuses(args, &lines.replace("-> f32", "").replace("init (%arg1)", "").replace("%0 = ", ""), 1, "results: 0");
    refuses(args, &lines.replace("return %1 : f32", "return %arg0 : index"), 5, "(the type of the reduction inputs)");
    refuses(args, &lines.replace("%arg4: f32)", "%arg4: f32, %arg5: f32)"), 2, "expected two block arguments");
    let bare = lines.replace("(%arg1 : f32) {", " {");
    refuses(args, &bare, 2, "expects number of reduction regions: 1 to be the same as number of reduction operands: 0");
    let zero = format!("%c0 = arith.constant 0 : index\n{}", lines.replace("step (%arg0)", "step (%c0)"));
    refuses(args, &zero, 2, "constant step operand must be positive");
    refuses(args, "scf.parallel () = () to () step () {\n}", 1, "needs at least one tuple element");
    refuses(
        args,
        "\"my.op\"() ({\n  scf.yield\n}) : () -> ()",
        2,
        "expects parent op to be one of 'scf.execute_region, ",
    );
    refuses(
        args,
        "\"my.op\"() ({\n  scf.reduce.return %arg1 : f32\n}) : () -> ()",
        2,
        "expects parent op 'scf.reduce'",
    );
}

/// Cases are told apart, and all regions give what the operation gives.
#[test]
fn switches() {
    let args = "%arg0: index, %arg1: i32";
    let lines = "%0 = scf.index_switch %arg0 -> index\ncase 2 {\n  scf.yield %arg0 : index\n}\ndefault {\n  \
                 scf.yield %arg0 : index\n}";
    read(&function(args, lines));
    let two = lines.replace("default", "case 2 {\n  scf.yield %arg0 : index\n}\ndefault");
    refuses(args, &two, 1, "'scf.index_switch' op has duplicate case value: 2");
    let odd = lines.replacen("yield %arg0 : index", "yield %arg1 : i32", 1);
    refuses(args, &odd, 1, "expected result #0 of each region to be 'index'");
    let none = lines.replacen("scf.yield %arg0 : index", "scf.yield", 1);
    refuses(args, &none, 1, "expected each region to return 1 values, but case region #0 returns 0");
}

/// The end of a parallel loop on tensors only puts parts into what the threads share.
#[test]
fn parallel_ends() {
    let args = "%arg0: tensor<4xf32>, %arg1: tensor<1xf32>";
    let lines = "%0 = scf.forall (%arg2) in (4) shared_outs(%arg3 = %arg0) -> (tensor<4xf32>) {\n  \
                 scf.forall.in_parallel {\n    tensor.parallel_insert_slice %arg1 into %arg3[%arg2] [1] [1] : \
                 tensor<1xf32> into tensor<4xf32>\n  }\n}";
    unchanged(args, lines);
    refuses(args, &lines.replace("into %arg3", "into %arg0"), 3, "may only insert into an output block argument");
    let more = lines.replace("in_parallel {\n", "in_parallel {\n    %c0 = arith.constant 0 : index\n");
    refuses(args, &more, 2, "expected only ParallelCombiningOpInterface ops");
}

/// Casts keep shapes and encodings and take signless integers; some go through memory.
#[test]
fn casts() {
    let cast =
        |op: &str, from: &str, to: &str| (format!("%arg0: {from}"), format!("%0 = arith.{op} %arg0 : {from} to {to}"));
    for (op, from, to) in [
        ("bitcast", "memref<?xi16>", "memref<?xbf16>"),
        ("index_cast", "memref<4xi32>", "memref<4xindex>"),
        ("extf", "tensor<4xf16, \"e\">", "tensor<4xf32, \"e\">"),
        ("index_castui", "vector<[4]xindex>", "vector<[4]xi8>"),
    ] {
        let (args, line) = cast(op, from, to);
        unchanged(&args, &line);
    }
    for (op, from, to, words) in [
        ("extsi", "si8", "i16", "a signless integer"),
        ("extui", "i8", "ui16", "a signless integer"),
        ("trunci", "index", "i8", "a signless integer"),
        ("bitcast", "ui32", "f32", "a signless integer or float"),
        ("extsi", "memref<4xi8>", "memref<4xi16>", "a signless integer"),
        ("extsi", "i8", "vector<4xi16>", "requires the same shape for all operands and results"),
        ("truncf", "tensor<?xf32>", "tensor<4xf16>", "input and output have the same tensor dimensions"),
        ("truncf", "tensor<*xf32>", "tensor<*xf16>", "input and output have the same tensor dimensions"),
        ("extf", "tensor<4xf16, \"e\">", "tensor<4xf32>", "are cast incompatible"),
        ("extf", "bf16", "f16", "operand type 'bf16' and result type 'f16' are cast incompatible"),
        ("index_cast", "i8", "i16", "are cast incompatible"),
    ] {
        let (args, line) = cast(op, from, to);
        refuses(&args, &line, 1, words);
    }
}

/// Conditions, constants, powers and flags of scalars and shapes.
#[test]
fn arithmetic() {
    let args =
        "%arg0: tensor<*xi32>, %arg1: tensor<4xi1, \"e\">, %arg2: tensor<4xf32>, %arg3: i32, %arg4: vector<4xf32>";
    unchanged(args, "%0 = arith.cmpi eq, %arg0, %arg0 : tensor<*xi32>");
    let select = "%0 = arith.select %arg1, %arg2, %arg2 : tensor<4xi1, \"e\">, tensor<4xf32>";
    refuses(args, select, 1, "expected condition type to have the same shape as the result type");
    let other = "%0 = arith.select %arg1, %arg4, %arg4 : tensor<4xi1, \"e\">, vector<4xf32>";
    refuses(args, other, 1, "expected condition type to have the same shape as the result type");
    refuses(args, "%0 = arith.constant 0 : ui32", 1, "integer return type must be signless");
    refuses(args, "%0 = arith.constant dense<0> : tensor<2xsi8>", 1, "integer return type must be signless");
    refuses(args, "%0 = arith.constant dense<[0, 1]> : vector<[2]xi8>", 1, "unless it's a vector splat");
    refuses(args, "%0 = math.fpowi %arg4, %arg3 : vector<4xf32>, i32", 1, "requires the same shape for all operands");
    let flags = "%0 = \"arith.addf\"(%arg4, %arg4) <{fastmath = #arith.fastmath<nnan,slow>}> : (vector<4xf32>, vector<4xf32>) \
                 -> vector<4xf32>";
    refuses(args, flags, 1, "cannot have this value for `fastmath`");
}

/// Complex numbers have two parts of their own type.
#[test]
fn complex_numbers() {
    let args = "%arg0: complex<f32>, %arg1: i32";
    unchanged(args, "%0 = complex.powi %arg0, %arg1 fastmath<nnan,contract> : complex<f32>, i32");
    unchanged(args, "%cst = complex.constant [1.000000e+00 : f32, 2.000000e+00 : f32] : complex<f32>");
    refuses(args, "%0 = complex.constant [1.0 : f32] : complex<f32>", 1, "represented as array of two values");
    let mixed = "%0 = complex.constant [1.0 : f32, 2.0 : f64] : complex<f64>";
    refuses(args, mixed, 1, "requires attribute's element types ('f32', 'f64') to match the element type");
    refuses(args, "%0 = complex.bitcast %arg1 : i32 to f32", 1, "either input or output has a complex type");
}

/// What divides itself is 1, what an expression leaves when its multiple is taken away is a remainder, and a set
/// without constraints leaves nothing out.
#[test]
fn affine_expressions_with_symbols() {
    let mut ir = Ir::new();
    for (written, read) in [
        ("affine_map<(d0)[s0] -> (s0 floordiv s0, (s0 + 1) ceildiv (s0 + 1), s0 mod s0)>", "(d0)[s0] -> (1, 1, 0)"),
        ("affine_map<(d0)[s0] -> (d0 - (d0 floordiv s0) * s0)>", "(d0)[s0] -> (d0 mod s0)"),
        ("affine_map<(d0)[s0] -> (0 floordiv 0, 0 mod 0, s0 - (d0 floordiv s0) * s0)>", "(0 floordiv 0, 0 mod 0, "),
        ("affine_set<(d0) : ()>", "affine_set<(d0) : (0 == 0)>"),
    ] {
        let attr = raddle_ir::parse_attr(written, &mut ir).unwrap();
        let printed = raddle_ir::print_attr(&ir, attr);
        assert!(printed.contains(read), "{written} is {printed}");
        assert_eq!(raddle_ir::parse_attr(&printed, &mut ir).unwrap(), attr, "what is printed is read back");
    }
    // A layout that changes nothing goes without saying, whatever symbols it has.
    let layout = read("func.func private @f(memref<4xf32, affine_map<(d0)[s0] -> (d0)>>)");
    assert!(!print(&layout, &PrintOptions::default()).contains("affine_map"));
}

/// What goes along an edge from region to region, or out, has the types that are taken there.
#[test]
fn edges_between_regions() {
    let args = "%arg0: index, %arg1: i32, %arg2: i1";
    let one = |name: &str, operands: &str, args: &str, end: &str, types: &str| {
        format!("%0 = \"{name}\"({operands}) ({{\n^bb0({args}):\n  {end}\n}}) : {types}")
    };
    let (for_loop, bounds) = ("scf.for", "%arg0, %arg0, %arg0, %arg1");
    let types = "(index, index, index, i32) -> i32";
    let mut cases = vec![
        (
            one(for_loop, bounds, "%i: index, %a: i32", "scf.yield %arg0 : index", types),
            "from Operation scf.yield to Region #0: successor operand type #0 'index' should match successor input type #0 \
             'i32'",
        ),
        (
            one(for_loop, bounds, "%i: index, %a: i64", "scf.yield %arg1 : i32", types),
            "from parent to Region #0: successor operand type #0 'i32'",
        ),
        (
            one(for_loop, bounds, "%i: index, %a: i32", "scf.yield", types),
            "different number of region iter_args and yielded values: 1 != 0",
        ),
        (
            one(for_loop, bounds, "%i: index", "scf.yield %arg1 : i32", types),
            "different number of inits and region iter_args: 1 != 0",
        ),
        (
            one(for_loop, bounds, "%i: i32, %a: i32", "scf.yield %arg1 : i32", types),
            "expected induction variable to be same type as bounds and step",
        ),
        (
            one(for_loop, bounds, "%i: index, %a: i32", "scf.yield %arg1 : i32", "(index, index, index, i32) -> ()")
                .replace("%0 = ", ""),
            "mismatch in number of loop-carried values and defined values",
        ),
        (
            "%0 = scf.if %arg2 -> i32 {\n  scf.yield %arg2 : i1\n} else {\n  scf.yield %arg1 : i32\n}".to_owned(),
            "from Operation scf.yield to Operation scf.if: successor operand type #0 'i1'",
        ),
    ];
    let turn = |results: &str, passed: &str, inner: &str, end: &str| {
        format!(
            "%0 = \"scf.while\"(%arg1) ({{\n^bb0(%a: i32):\n  scf.condition(%arg2) {passed}\n}}, {{\n^bb0({inner}):\n  \
             scf.yield {end}\n}}) : (i32) -> {results}"
        )
    };
    cases.extend([
        (
            turn("i32", "", "%b: i32", "%b : i32"),
            "from Operation scf.condition to Region #1: region branch point has 0 operands, but region successor needs 1",
        ),
        (turn("i64", "%a : i32", "%b: i32", "%b : i32"), "from Operation scf.condition to Operation scf.while"),
        (turn("i32", "%a : i32", "%b: i32", "%arg2 : i1"), "from Operation scf.yield to Region #0"),
    ]);
    for (lines, words) in cases {
        refuses(args, &lines, 1, words);
    }
    let bare = turn("i32", "%a : i32", "%b: i32", "%b : i32")
        .replace("scf.condition(%arg2) %a : i32", "\"scf.condition\"() : () -> ()");
    refuses(args, &bare, 1, "region branch point has 0 operands, but region successor needs 1 inputs");
}

/// An operation says what ends its regions; what ends another is not taken for a step.
#[test]
fn ends_of_regions() {
    let args = "%arg0: index, %arg1: i1";
    for (lines, words) in [
        (
            "scf.parallel (%i) = (%arg0) to (%arg0) step (%arg0) {\n  scf.yield\n}",
            "expects body to terminate with 'scf.reduce'",
        ),
        (
            "scf.while : () -> () {\n  \"t.end\"() : () -> ()\n} do {\n  scf.yield\n}",
            "expects the 'before' region to terminate with 'scf.condition'",
        ),
        (
            "scf.while : () -> () {\n  scf.condition(%arg1)\n} do {\n  \"t.end\"() : () -> ()\n}",
            "expects the 'after' region to terminate with 'scf.yield'",
        ),
        (
            "\"scf.index_switch\"(%arg0) ({\n  scf.yield\n}, {\n  return\n}) {cases = array<i64: 1>} : (index) -> ()",
            "expected region to end with scf.yield, but got func.return",
        ),
        (
            "scf.forall (%i) in (%arg0) {\n  llvm.return\n}",
            "expects regions to end with 'scf.forall.in_parallel', found 'llvm.return'",
        ),
        ("affine.for %i = 0 to 4 {\n  scf.yield\n}", "expects regions to end with 'affine.yield', found 'scf.yield'"),
        ("\"scf.for\"(%arg0, %arg0, %arg0) ({\n^bb0(%i: index):\n}) : (index, index, index) -> ()", "empty block"),
    ] {
        refuses(args, lines, 1, words);
    }
}
