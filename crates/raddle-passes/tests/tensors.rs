//! Passes on tensors: anchors, the ways through shared memory that they ask for, and names that become loops.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_ir::{Attr, Diag, Ir, OpId, Opcode, print, text, verify};
use raddle_layout::Nested;
use raddle_passes::{Facts, PASSES};
use raddle_target::chip;

/// What a pass makes of a program, or says about it, that nobody verified.
fn pass(name: &str, source: &str) -> Result<Ir, Diag> {
    let mut ir = text::parse(source).unwrap_or_else(|diags| panic!("{diags:?}\n{source}"));
    let func = ir.funcs()[0];
    let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
    (pass.run)(&mut ir, func, &Facts::new(chip("gfx942").unwrap()))?;
    let problems = verify(&ir);
    assert!(problems.is_empty(), "{problems:?}\n{}", print(&ir, &Default::default()));
    Ok(ir)
}

fn all(ir: &Ir, opcode: Opcode) -> Vec<OpId> {
    ir.walk(ir.funcs()[0]).into_iter().filter(|&op| ir.opcode(op) == opcode).collect()
}

fn layout(ir: &Ir, op: OpId) -> Nested {
    match ir.attr(op, "layout") {
        Some(Attr::Layout(layout)) => layout.clone(),
        other => panic!("no layout but {other:?}"),
    }
}

fn generic(config: &str, [m, n, k]: [i64; 3]) -> String {
    format!(
        "#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 64>
func.func @f(%a: tensor<{m}x{k}xf16>, %b: tensor<{n}x{k}xf16>, %c: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> attributes {{translation_info = #launch}} {{
  %d = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"], lowering_config = {config}}}
      ins(%a, %b : tensor<{m}x{k}xf16>, tensor<{n}x{k}xf16>) outs(%c : tensor<{m}x{n}xf32>) {{
  ^bb0(%x: f16, %y: f16, %z: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %z, %r : f32
    linalg.yield %s : f32
  }} -> tensor<{m}x{n}xf32>
  return %d : tensor<{m}x{n}xf32>
}}"
    )
}

/// The layouts around a contraction are one view of its loops: what two operands share lies alike in both, and every
/// operand is covered, for bases that name digits in any order.
#[test]
fn anchors_are_one_view_of_the_loops() {
    for config in [
        "#iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, subgroup_basis = [[2, 1, 1], [0, 1, 2]]}>",
        "#iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>, subgroup_basis = [[1, 2, 1], [2, 1, 0]], promote_operands = [1]}>",
        "#iree_gpu.lowering_config<{subgroup_basis = [[1, 2, 1], [2, 0, 1]], lane_basis = [[4, 8, 2], [1, 2, 0]], thread = [1, 2, 4]}>",
    ] {
        let text = generic(config, [64, 64, 32]);
        let ir = pass("anchor-tensors", &text).unwrap();
        let anchors = all(&ir, Opcode::IreeVectorExtToLayout);
        assert_eq!(anchors.len(), 4, "{}", print(&ir, &Default::default()));
        let [lhs, rhs, acc, result] = [0, 1, 2, 3].map(|i| layout(&ir, anchors[i]));
        assert_eq!(acc, result);
        for (layout, shape) in [(&lhs, [64, 32]), (&rhs, [64, 32]), (&acc, [64, 64])] {
            assert_eq!(layout.undistributed_shape(), shape, "{config}");
            layout.check().unwrap();
        }
        // Rows of the left factor are those of the result and columns those of the right one, in their subgroups.
        let subgroups = |layout: &Nested, d: usize| [layout.subgroup_tile[d], layout.subgroup_strides[d]];
        assert_eq!(subgroups(&lhs, 0), subgroups(&acc, 0));
        assert_eq!(subgroups(&rhs, 0), subgroups(&acc, 1));
        assert_eq!(lhs.permute(&[1]), rhs.permute(&[1]), "{config}");
        let promoted: Vec<bool> =
            anchors.iter().map(|&op| ir.attr_id(op, "shared_memory_conversion").is_some()).collect();
        assert_eq!(promoted, [false, config.contains("promote"), false, false]);
    }
}

/// What means no layout is refused, and says why.
#[test]
fn configurations_that_mean_no_layout_are_refused() {
    for (config, why) in [
        ("#iree_gpu.lowering_config<{lane_basis = [[1, 1, 64], [0, 1, 2]]}>", "Could not find a subgroup basis"),
        ("#iree_gpu.lowering_config<{subgroup_basis = [[1, 1], [0, 1]], lane_basis = [[1, 64], [0, 1]]}>", "3 loops"),
    ] {
        let diag = pass("anchor-tensors", &generic(config, [64, 64, 32])).map(|_| ()).unwrap_err();
        assert!(format!("{diag} {:?}", diag.notes).contains(why), "{config}: {diag:?}");
    }
    let text = generic("#iree_gpu.derived_thread_config", [64, 64, 32]);
    let text = text.replace("workgroup_size = [128, 1, 1] ", "");
    let diag = pass("anchor-tensors", &text).map(|_| ()).unwrap_err();
    assert!(diag.message.contains("workgroup_size"), "{diag:?}");
}

/// A wish of an anchor reaches the reads that its value is made from; what is read is copied once, in a layout in which
/// each thread's accesses are as wide as they can be, and the anchor stays.
#[test]
fn reads_are_copied_where_anchors_wish() {
    let text = "#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>
#l = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
func.func @f(%m: memref<16x16xf16>, %n: memref<16x16xf16>) -> vector<16x16xf16> attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %a = vector.transfer_read %m[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %b = vector.transfer_read %n[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %s = arith.addf %a, %b : vector<16x16xf16>
  %t = vector.transpose %s, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
  %x = iree_vector_ext.to_layout %t to layout(#l) {shared_memory_conversion = #iree_gpu.derived_thread_config} : vector<16x16xf16>
  return %x : vector<16x16xf16>
}";
    let ir = pass("promote", text).unwrap();
    let printed = print(&ir, &Default::default());
    assert_eq!(all(&ir, Opcode::BufferizationAllocTensor).len(), 2, "{printed}");
    assert_eq!(all(&ir, Opcode::IreeGpuValueBarrier).len(), 2, "{printed}");
    assert!(!printed.contains("shared_memory_conversion"), "{printed}");
    let anchors = all(&ir, Opcode::IreeVectorExtToLayout);
    assert_eq!(anchors.len(), 3, "{printed}");
    for &copy in &anchors[..2] {
        let layout = layout(&ir, copy);
        assert_eq!((layout.element_tile[1], layout.thread_strides[1]), (4, 1), "{printed}");
        assert!(matches!(ir.def_op(ir.operand(copy, 0)), Some(read) if ir.opcode(read) == Opcode::VectorTransferRead));
    }
    // Two wishes that differ are no wish.
    let both = text.replace(
        "  return %x",
        "  %y = iree_vector_ext.to_layout %t to layout(#l) {shared_memory_conversion = #iree_gpu.use_global_load_dma} : vector<16x16xf16>\n  return %x",
    );
    assert!(all(&pass("promote", &both).unwrap(), Opcode::BufferizationAllocTensor).is_empty());
    let diag = pass("promote", &text.replace("#iree_gpu.derived_thread_config", "\"wrong\"")).map(|_| ()).unwrap_err();
    assert!(diag.message.contains("PromotionAttr"), "{diag:?}");
}

/// What a name says stands in maps and iterators; what others wrote on the operation stays, on buffers too.
#[test]
fn names_become_loops() {
    let ir = pass(
        "generalize",
        "func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %m: memref<4xf32>, %n: memref<4x8xf32>) -> tensor<8x4xf32> {
           %c = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) permutation = [1, 0]
           %d = linalg.exp {mark} ins(%c : tensor<8x4xf32>) outs(%b : tensor<8x4xf32>) -> tensor<8x4xf32>
           linalg.broadcast ins(%m : memref<4xf32>) outs(%n : memref<4x8xf32>) dimensions = [1]
           return %d : tensor<8x4xf32>
         }",
    )
    .unwrap();
    let loops: Vec<String> = all(&ir, Opcode::LinalgGeneric)
        .into_iter()
        .map(|op| {
            let maps: Vec<String> = ir.maps(op, "indexing_maps").unwrap().iter().map(|map| map.to_string()).collect();
            let marked = if ir.attr(op, "mark").is_some() { ", marked" } else { "" };
            format!("{}{marked}, {} results, {} attributes", maps.join(" "), ir.results(op).len(), ir.attrs(op).len())
        })
        .collect();
    assert_eq!(
        loops,
        [
            "(d0, d1) -> (d1, d0) (d0, d1) -> (d0, d1), 1 results, 3 attributes",
            "(d0, d1) -> (d0, d1) (d0, d1) -> (d0, d1), marked, 1 results, 4 attributes",
            "(d0, d1) -> (d0) (d0, d1) -> (d0, d1), 0 results, 3 attributes",
        ]
    );
}
