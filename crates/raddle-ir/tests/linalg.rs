//! Named operations of `linalg`: bodies as `iree-opt` 3.12.0 builds them, and refused in its words.

mod common;

use raddle_ir::{PrintOptions, print};

use common::{complaint, function, read, refused, unchanged};

/// A product may say that its integers have no sign, and unsigned maxima have none by their name.
#[test]
fn casts_without_a_sign() {
    let args = "%arg0: tensor<4x8xi8>, %arg1: tensor<8x4xi16>, %arg2: tensor<4x4xf32>";
    let product = "%0 = linalg.matmul cast = #linalg.type_fn<cast_unsigned> ins(%arg0, %arg1 : tensor<4x8xi8>, \
                   tensor<8x4xi16>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>";
    let generic = unchanged(args, product);
    assert_eq!(generic.matches("arith.uitofp").count(), 2, "{generic}");
    let signed = print(
        &read(&function(args, &product.replace("cast_unsigned", "cast_signed"))),
        &PrintOptions { generic: true, ..PrintOptions::default() },
    );
    assert_eq!(signed.matches("arith.sitofp").count(), 2, "{signed}");

    let args = "%arg0: tensor<1x4x4x1xi8>, %arg1: tensor<2x2xi8>, %arg2: tensor<1x3x3x1xi32>";
    let pool = "%0 = linalg.pooling_nhwc_max_unsigned ins(%arg0, %arg1 : tensor<1x4x4x1xi8>, tensor<2x2xi8>) \
                outs(%arg2 : tensor<1x3x3x1xi32>) -> tensor<1x3x3x1xi32>";
    let generic = print(&read(&function(args, pool)), &PrintOptions { generic: true, ..PrintOptions::default() });
    assert!(generic.contains("arith.extui"), "{generic}");
    let (args, pool) =
        (args.replace("i8", "f32").replace("i32", "f32"), pool.replace("i8", "f32").replace("i32", "f32"));
    refused(&args, &[(&pool, "cannot act on elements of this type")]);
}

/// Elements may be vectors, and are filled with vectors.
#[test]
fn elements_may_be_vectors() {
    let args = "%arg0: vector<4xf32>, %arg1: tensor<8xvector<4xf32>>, %arg2: f64, %arg3: tensor<8xf32>";
    unchanged(
        args,
        "%0 = linalg.fill ins(%arg0 : vector<4xf32>) outs(%arg1 : tensor<8xvector<4xf32>>) -> tensor<8xvector<4xf32>>",
    );
    refused(
        args,
        &[
            (
                "%0 = linalg.fill ins(%arg2 : f64) outs(%arg3 : tensor<8xf32>) -> tensor<8xf32>",
                "expected fill value type ('f64') to match output element type ('f32')",
            ),
            (
                "%0 = linalg.fill ins(%arg3 : tensor<8xf32>) outs(%arg3 : tensor<8xf32>) -> tensor<8xf32>",
                "expected op with scalar input",
            ),
        ],
    );
}

/// What an operation reaches at the ends of its loops lies inside its operands.
#[test]
fn loops_stay_inside() {
    let args = "%arg0: tensor<4x8xf32>, %arg1: tensor<7x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<4x4xf32>, \
                %arg4: tensor<1x3x4x2xf32>, %arg5: tensor<3x2x2x1xf32>, %arg6: tensor<1x2x3x1xf32>";
    refused(
        args,
        &[
            (
                "%0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<7x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>",
                "inferred input/output operand #1 has shape's dimension #0 to be 8, but found 7",
            ),
            (
                "%0 = linalg.conv_2d_nhwc_hwcf ins(%arg4, %arg5 : tensor<1x3x4x2xf32>, tensor<3x2x2x1xf32>) outs(%arg6 : tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>",
                "operand #0 has shape's dimension #1 to be greater than or equal to 4, but found 3",
            ),
            (
                "linalg.add ins(%arg2, %arg2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg3 : memref<4x4xf32>)",
                "expected to have pure tensor or buffer semantics",
            ),
            (
                "%0 = linalg.add ins(%arg2, %arg2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>",
                "dimension #1 to be 4, but found 8",
            ),
            (
                "linalg.generic {indexing_maps = [affine_map<(d0) -> (3 - d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = [\"parallel\"]} ins(%arg3 : memref<4x4xf32>) outs(%arg3 : memref<4x4xf32>) {\n^bb0(%a: f32, %b: f32):\nlinalg.yield %a : f32\n}",
                "expected operand #0 rank (2) to match the result rank of indexing_map (1)",
            ),
        ],
    );
    let row = "%arg0: memref<5xf32>";
    let reverse = "linalg.generic {indexing_maps = [affine_map<(d0) -> (3 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} ins(%arg0 : memref<5xf32>) outs(%arg0 : memref<5xf32>) {\n^bb0(%a: f32, %b: f32):\nlinalg.yield %a : f32\n}";
    refused(row, &[(reverse, "unexpected result less than 0 at expression #0")]);
    read(&function(row, &reverse.replace("3 - d0", "4 - d0")));
    let short = reverse.replace("3 - d0", "4 - d0").replace("linalg.yield %a : f32", "linalg.yield %a, %b : f32, f32");
    refused(row, &[(&short, "expected number of yield values (2) to match the number of inits")]);
}

/// An operation may do without outputs, as one that only checks something.
#[test]
fn operations_without_outputs() {
    let args = "%arg0: tensor<8xi1>";
    read(&function(
        args,
        "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} ins(%arg0 : tensor<8xi1>) {\n\
         ^bb0(%a: i1):\n  cf.assert %a, \"all\"\n  linalg.yield\n}",
    ));
}

/// Operands of products may lack dimensions, but not any.
#[test]
fn operands_of_products_repeat() {
    let maps = |a: &str, b: &str, c: &str| {
        let map = |dims: &str| format!("affine_map<(d0, d1, d2, d3) -> ({dims})>");
        format!("[{}, {}, {}]", map(a), map(b), map(c))
    };
    let args = "%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>";
    let product = |lhs: &str, maps: &str| {
        let (value, ty) = if lhs.len() > 6 { ("%arg1", "memref<?x?x?xf32>") } else { ("%arg0", "memref<?x?xf32>") };
        format!(
            "linalg.batch_matmul indexing_maps = {maps} ins({value}, %arg1 : {ty}, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)"
        )
    };
    let (rhs, result) = ("d0, d3, d2", "d0, d1, d2");
    read(&function(args, &product("d1, d3", &maps("d1, d3", rhs, result))));
    refused(
        args,
        &[
            (&product("d3, d1", &maps("d3, d1", rhs, result)), "Invalid broadcast requested"),
            (&product("d0, d2, d3", &maps("d0, d2, d3", rhs, result)), "outside the set of default result dims"),
            (&product("d1, d0, d3", &maps("d1, d0, d3", rhs, result)), "Invalid batch dimension expression"),
            (&product("d0, d1, d3", &maps("d0, d1, d3", rhs, "d0, d2, d1")), "Invalid output map result dimension"),
        ],
    );
    let contract = |a: &str, b: &str, c: &str| {
        let map = |dims: &str| format!("affine_map<(d0, d1, d2) -> ({dims})>");
        format!(
            "linalg.contract indexing_maps = [{}, {}, {}] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)",
            map(a),
            map(b),
            map(c)
        )
    };
    read(&function(args, &contract("d0, d1", "d1, d2", "d0, d2")));
    refused(
        args,
        &[
            (&contract("d0, d0", "d1, d2", "d0, d2"), "not a projected permutation"),
            (&contract("d0", "d1, d2", "d0, d2"), "ranks of shaped operand and results"),
            (&contract("d0, d1", "d1, d0", "d0, d1"), "dim at index 2 not used to access any operand"),
            (&contract("d0, d1", "d0, d2", "d0, d1"), "neither a contracting dim nor of parallel iteration type"),
        ],
    );
}

/// Permutations, dimensions and bodies that are stated fit the shapes.
#[test]
fn stated_dimensions_fit() {
    let args = "%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x8x2xf32>";
    refused(
        args,
        &[
            (
                "%0 = linalg.transpose ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>) permutation = [1, 1]",
                "permutation is not valid",
            ),
            (
                "%0 = linalg.transpose ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>) permutation = [0, 1]",
                "dim(result, 0) = 8 doesn't match dim(input, permutation[0]) = 4",
            ),
            (
                "%0 = linalg.broadcast ins(%arg2 : tensor<4xf32>) outs(%arg1 : tensor<8x4xf32>) dimensions = [1]",
                "input dim 0 should match init dim 0. input: 4, init: 8",
            ),
            (
                "%0 = linalg.reduce { arith.addf } ins(%arg0 : tensor<4x8xf32>) outs(%arg2 : tensor<4xf32>) dimensions = [0]",
                "init dimensions [4] doesn't match input dimensions after reduction [8]",
            ),
            (
                "%0 = linalg.map { math.exp } ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>)",
                "expected shape of input (4, 8) to match shape of output (8, 4)",
            ),
            (
                "%0 = linalg.softmax dimension(2) ins(%arg0 : tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>",
                "incorrect dimension specified",
            ),
        ],
    );
}

/// Tiles stand behind the dimensions that they are cut from, and fill them, or something is put behind the last one.
#[test]
fn tiles_of_packs() {
    let args =
        "%arg0: tensor<16x30xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: f32, %arg3: tensor<4x2x8x8xf32>, %arg4: i32";
    read(&function(
        args,
        "%0 = linalg.pack %arg0 padding_value(%arg2 : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>",
    ));
    let pack = "%0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>";
    refused(
        args,
        &[
            (pack, "Only full tiles are supported when padding_value is not set"),
            (
                &pack.replace("pack %arg0", "pack %arg0 padding_value(%arg4 : i32)"),
                "expected padding_value has 'f32' but got: 'i32'",
            ),
            (&pack.replace("[8, 8]", "[8, 0]"), "invalid zero tile factor"),
            (&pack.replace("[0, 1]", "[1, 1]"), "invalid inner_dims_pos vector"),
            (&pack.replace("[8, 8]", "[8, 4]"), "mismatch in inner tile sizes"),
            (
                &pack.replace("%arg1", "%arg3").replace("2x4x8x8", "4x2x8x8"),
                "expected 'tensor<2x4x8x8xf32>' for the packed domain value, got 'tensor<4x2x8x8xf32>'",
            ),
        ],
    );
    let ordered = pack
        .replace("inner_dims_pos", "outer_dims_perm = [1, 0] inner_dims_pos")
        .replace("pack %arg0", "pack %arg0 padding_value(%arg2 : f32)");
    read(&function(args, &ordered.replace("%arg1", "%arg3").replace("2x4x8x8", "4x2x8x8")));
}

/// Winograd's transformations: what is cut into tiles has tiles of the output and the filter together.
#[test]
fn winograd_tiles() {
    let args = "%arg0: tensor<2x3x3x5xf32>, %arg1: tensor<6x6x5x2xf32>, %arg2: tensor<1x10x10x5xf32>, %arg3: tensor<6x6x2x2x1x5xf32>, \
                %arg4: tensor<6x6x2x2x1x2xf32>, %arg5: tensor<1x8x8x2xf32>";
    let lines = [
        "%0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%arg0 : tensor<2x3x3x5xf32>) outs(%arg1 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>",
        "%0 = linalg.winograd_input_transform fmr(F_4_3) ins(%arg2 : tensor<1x10x10x5xf32>) outs(%arg3 : tensor<6x6x2x2x1x5xf32>) -> tensor<6x6x2x2x1x5xf32>",
        "%0 = linalg.winograd_output_transform fmr(F_4_3) ins(%arg4 : tensor<6x6x2x2x1x2xf32>) outs(%arg5 : tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>",
    ];
    for line in lines {
        assert!(unchanged(args, line).contains("fmr = 1 : i32"));
    }
    refused(
        args,
        &[
            (&lines[0].replace("F_4_3", "F_2_5"), "expect filter height either equals to r or 1"),
            (&lines[1].replace("F_4_3", "F_2_3"), "the output shape is not expected"),
            (&lines[2].replace("F_4_3", "F_2_3"), "expect input height equals to input tile size"),
        ],
    );
}

/// What is wrong is told where upstream finds it first: the ends of bodies before their arguments.
#[test]
fn bodies_before_arguments() {
    let generic = |iterator: &str, map: &str, arg: &str, yielded: &str| {
        format!(
            "linalg.generic {{indexing_maps = [affine_map<{map}>], iterator_types = [{iterator}]}} outs(%arg0 : memref<4xf32>) {{\n^bb0(%a: {arg}):\nlinalg.yield %a : {yielded}\n}}"
        )
    };
    let args = "%arg0: memref<4xf32>, %arg1: tensor<1x4x4x1xf32>, %arg2: tensor<2x2xf32>, %arg3: tensor<1x3x3x1xf32>";
    refused(
        args,
        &[
            (&generic("\"random\"", "(d0) -> (d0)", "f32", "f32"), "unexpected iterator_type (random)"),
            (
                &generic("\"parallel\", \"parallel\"", "(d0, d1) -> (d0 + d1)", "f32", "f32"),
                "invalid indexing maps are non-invertible: ((d0, d1) -> (d0 + d1))",
            ),
            (
                &generic("\"parallel\"", "(d0) -> (d0)", "i1", "i1"),
                "type of yield operand 1 ('i1') doesn't match the element type of the enclosing linalg.generic op ('f32')",
            ),
            ("linalg.map { arith.addf }", "expected 1 or more operands, but found 0"),
            ("linalg.transpose permutation = [1, 0]", "expected 2 operands, but found 0"),
            (
                "%0 = linalg.pooling_nhwc_max_unsigned ins(%arg1, %arg2 : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%arg3 : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>",
                "unsupported operation: unsigned max not on uint",
            ),
        ],
    );
    // A block that has no end may have something wrong inside, however deep.
    let text = generic("\"parallel\"", "(d0) -> (d0)", "f32", "f32")
        .replace("linalg.yield", "%i = linalg.index 2 : index\nlinalg.yield");
    let text = format!("func.func @f(%arg0: memref<4xf32>) {{\n{text}\n}}");
    assert!(complaint(&text).contains("expected dim (2) to be lower than the number of loops (1)"));
}
