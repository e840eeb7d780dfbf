//! Where threads meet in memory, and what lies where in their registers: one small program for each way to go wrong.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Mode, Options, Tensor};
use raddle_ir::{Float, Scalar};
use raddle_passes::Facts;
use raddle_target::chip;

use crate::stages;

const F16: Scalar = Scalar::Float(Float::F16);
const F32: Scalar = Scalar::Float(Float::F32);

/// A kernel of four subgroups of 32 lanes, with the layout `#l`.
fn kernel(layout: &str, args: &str, body: &str) -> String {
    format!(
        "#l = #iree_vector_ext.nested_layout<{layout}>
func.func @kernel({args}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = \
         #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant 7.0 : f32
{body}
  return
}}"
    )
}

fn counted(elem: Scalar, shape: &[i64]) -> Tensor {
    let n = shape.iter().product::<i64>();
    Tensor::from_f64(elem, shape, &(0..n).map(|i| ((i * 5) % 17) as f64).collect::<Vec<_>>())
}

/// The same at every stage, whatever the order of the subgroups.
#[track_caller]
fn alike(text: &str, args: &[Tensor]) {
    for seed in 0..4 {
        stages::alike("this", text, "sm_80", args, seed).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
    }
}

const ROW: &str = "subgroup_tile = [4], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [1], thread_strides = [1]";

/// A loop whose steps are shorter than what a round touches meets what the rounds before it wrote.
#[test]
fn rounds_that_overlap_wait_for_one_another() {
    let body = "  scf.for %i = %c0 to %c3 step %c1 {
    %v = vector.transfer_read %m[%i], %pad {in_bounds = [true]} : memref<131xf32>, vector<128xf32>
    %a = iree_vector_ext.to_layout %v to layout(#l) : vector<128xf32>
    %s = arith.addf %a, %a : vector<128xf32>
    vector.transfer_write %s, %m[%i] {in_bounds = [true]} : vector<128xf32>, memref<131xf32>
  }";
    alike(&kernel(ROW, "%m: memref<131xf32>", body), &[counted(F32, &[131])]);
}

/// The same place under a transposing map is another thread's.
#[test]
fn a_transposed_read_waits_for_the_write() {
    let layout = "subgroup_tile = [4, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 8],
  element_tile = [1, 2], subgroup_strides = [1, 0], thread_strides = [8, 1]";
    let ty = "vector<16x16xf32>";
    let body = format!(
        "  %v = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<16x16xf32>, {ty}
  %a = iree_vector_ext.to_layout %v to layout(#l) : {ty}
  vector.transfer_write %a, %m[%c0, %c0] {{in_bounds = [true, true]}} : {ty}, memref<16x16xf32>
  %t = vector.transfer_read %m[%c0, %c0], %pad {{in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>}}
    : memref<16x16xf32>, {ty}
  %b = iree_vector_ext.to_layout %t to layout(#l) : {ty}
  vector.transfer_write %b, %out[%c0, %c0] {{in_bounds = [true, true]}} : {ty}, memref<16x16xf32>"
    );
    let args = "%in: memref<16x16xf32>, %m: memref<16x16xf32>, %out: memref<16x16xf32>";
    let zeros = || Tensor::zeros(F32, &[16, 16]);
    alike(&kernel(layout, args, &body), &[counted(F32, &[16, 16]), zeros(), zeros()]);
}

/// What a mask leaves out is what is passed through.
#[test]
fn what_is_masked_out_is_passed_through() {
    let ty = "vector<128xf32>";
    let body = format!(
        "  %p = arith.constant dense<3.0> : {ty}
  %m = vector.constant_mask [77] : vector<128xi1>
  %v = vector.mask %m, %p {{ vector.transfer_read %in[%c0], %pad {{in_bounds = [true]}} : memref<128xf32>, {ty} }}
    : vector<128xi1> -> {ty}
  %a = iree_vector_ext.to_layout %v to layout(#l) : {ty}
  vector.transfer_write %a, %out[%c0] {{in_bounds = [true]}} : {ty}, memref<128xf32>"
    );
    let args = [counted(F32, &[128]), Tensor::zeros(F32, &[128])];
    alike(&kernel(ROW, "%in: memref<128xf32>, %out: memref<128xf32>", &body), &args);
}

/// A gather under a mask takes what its own mask selects, too.
#[test]
fn masks_of_a_gather_meet() {
    let ty = "vector<128xf32>";
    let body = format!(
        "  %p = arith.constant dense<3.0> : {ty}
  %own = vector.constant_mask [99] : vector<128xi1>
  %read = vector.transfer_read %flags[%c0], %c0_i32 {{in_bounds = [true]}} : memref<128xi32>, vector<128xi32>
  %at = iree_vector_ext.to_layout %read to layout(#l) : vector<128xi32>
  %ten = arith.constant dense<10> : vector<128xi32>
  %m = arith.cmpi slt, %at, %ten : vector<128xi32>
  %v = vector.mask %m {{ vector.gather %in[%c0] [%at], %own, %p
    : memref<128xf32>, vector<128xi32>, vector<128xi1>, {ty} into {ty} }} : vector<128xi1> -> {ty}
  vector.transfer_write %v, %out[%c0] {{in_bounds = [true]}} : {ty}, memref<128xf32>"
    );
    let args = "%in: memref<128xf32>, %flags: memref<128xi32>, %out: memref<128xf32>";
    let text = kernel(ROW, args, &format!("  %c0_i32 = arith.constant 0 : i32\n{body}"));
    alike(&text, &[counted(F32, &[128]), counted(Scalar::Int(32), &[128]), Tensor::zeros(F32, &[128])]);
}

/// A slice of registers begins where it says, in batches, outers and elements.
#[test]
fn slices_of_registers_begin_where_they_say() {
    let layout = "subgroup_tile = [1, 4], batch_tile = [2, 1], outer_tile = [3, 1], thread_tile = [1, 32],
  element_tile = [2, 1], subgroup_strides = [0, 1], thread_strides = [0, 1]";
    let (ty, part) = ("vector<12x128xf32>", "vector<4x128xf32>");
    for start in [0, 1, 3, 5, 8] {
        let body = format!(
            "  %v = vector.transfer_read %in[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<12x128xf32>, {ty}
  %a = iree_vector_ext.to_layout %v to layout(#l) : {ty}
  %s = vector.extract_strided_slice %a {{offsets = [{start}, 0], sizes = [4, 128], strides = [1, 1]}} : {ty} to {part}
  %n = arith.negf %s : {part}
  %b = vector.insert_strided_slice %n, %a {{offsets = [{}, 0], strides = [1, 1]}} : {part} into {ty}
  vector.transfer_write %s, %part[%c0, %c0] {{in_bounds = [true, true]}} : {part}, memref<4x128xf32>
  vector.transfer_write %b, %out[%c0, %c0] {{in_bounds = [true, true]}} : {ty}, memref<12x128xf32>",
            8 - start
        );
        let args = "%in: memref<12x128xf32>, %part: memref<4x128xf32>, %out: memref<12x128xf32>";
        let args = (kernel(layout, args, &body), [counted(F32, &[12, 128]), Tensor::zeros(F32, &[4, 128])]);
        let (text, [input, part]) = args;
        alike(&text, &[input, part, Tensor::zeros(F32, &[12, 128])]);
    }
}

/// Where a number goes is known when the kernel runs, in both dimensions: one element of one thread changes.
#[test]
fn places_are_looked_for_in_every_dimension() {
    let text = kernel(
        "subgroup_tile = [4, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [4, 8],
  element_tile = [1, 2], subgroup_strides = [1, 0], thread_strides = [8, 1]",
        "%in: memref<16x32xf32>, %at: memref<2xi32>, %out: memref<16x32xf32>",
        "  %row = memref.load %at[%c0] : memref<2xi32>
  %column = memref.load %at[%c1] : memref<2xi32>
  %r = arith.index_cast %row : i32 to index
  %c = arith.index_cast %column : i32 to index
  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf32>, vector<16x32xf32>
  %l = iree_vector_ext.to_layout %v to layout(#l) : vector<16x32xf32>
  %new = vector.insert %pad, %l [%r, %c] : f32 into vector<16x32xf32>
  vector.transfer_write %new, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xf32>, memref<16x32xf32>",
    );
    for at in [[0, 0], [5, 19], [15, 31]] {
        let at = Tensor::from_i64(Scalar::Int(32), &[2], &at);
        alike(&text, &[counted(F32, &[16, 32]), at, Tensor::zeros(F32, &[16, 32])]);
    }
}

/// Matrix instructions take operands and results that lie with their columns first.
#[test]
fn matrices_may_lie_on_their_sides() {
    let maps = [("(i, k)", "16x32"), ("(k, i)", "32x16")];
    for (a, a_shape) in maps {
        for (b, b_shape) in [("(k, j)", "32x8"), ("(j, k)", "8x32")] {
            for (c, c_shape) in [("(i, j)", "16x8"), ("(j, i)", "8x16")] {
                let body = format!(
                    "  %zero = arith.constant 0.0 : f16
  %x = vector.transfer_read %a[%c0, %c0], %zero {{in_bounds = [true, true]}} : memref<{a_shape}xf16>, vector<{a_shape}xf16>
  %y = vector.transfer_read %b[%c0, %c0], %zero {{in_bounds = [true, true]}} : memref<{b_shape}xf16>, vector<{b_shape}xf16>
  %z = vector.transfer_read %c[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<{c_shape}xf32>, vector<{c_shape}xf32>
  %d = vector.contract {{indexing_maps = [affine_map<(i, j, k) -> {a}>, affine_map<(i, j, k) -> {b}>, affine_map<(i, j, k) -> {c}>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>,
      iree.gpu.mma = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>}} %x, %y, %z
      : vector<{a_shape}xf16>, vector<{b_shape}xf16> into vector<{c_shape}xf32>
  vector.transfer_write %d, %c[%c0, %c0] {{in_bounds = [true, true]}} : vector<{c_shape}xf32>, memref<{c_shape}xf32>"
                );
                let args = format!("%a: memref<{a_shape}xf16>, %b: memref<{b_shape}xf16>, %c: memref<{c_shape}xf32>");
                let shape = |text: &str| text.split('x').map(|extent| extent.parse().unwrap()).collect::<Vec<i64>>();
                let inputs = [(F16, a_shape), (F16, b_shape), (F32, c_shape)];
                let inputs = inputs.map(|(elem, extents)| counted(elem, &shape(extents)));
                let text = kernel(ROW, &args, &body);
                let (ir, _) = stages::alike("this", &text, "sm_80", &inputs, 0).unwrap();
                let printed = raddle_ir::print(&ir, &Default::default());
                assert!(printed.contains("nvgpu.mma.sync"), "{printed}");
            }
        }
    }
}

/// What is expensive is computed once, and each anchor that asks for another layout converts it: nothing stands between.
#[test]
fn anchors_convert_what_has_another_layout() {
    let body = "  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x16x4xf32>, vector<16x16x4xf32>
  %l = iree_vector_ext.to_layout %v to layout(#l) : vector<16x16x4xf32>
  %s = vector.multi_reduction <add>, %l, %zero [2] : vector<16x16x4xf32> to vector<16x16xf32>
  %n = arith.negf %s : vector<16x16xf32>
  %a = iree_vector_ext.to_layout %n to layout(#a) : vector<16x16xf32>
  %b = iree_vector_ext.to_layout %n to layout(#b) : vector<16x16xf32>
  vector.transfer_write %a, %one[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  vector.transfer_write %b, %two[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>";
    let square = |batch: &str, thread: &str, element: &str, strides: &str| {
        format!(
            "subgroup_tile = [1, 1], batch_tile = [{batch}], outer_tile = [1, 1], thread_tile = [{thread}], \
             element_tile = [{element}], subgroup_strides = [0, 0], thread_strides = [{strides}]"
        )
    };
    let cube = "subgroup_tile = [1, 1, 1], batch_tile = [4, 1, 1], outer_tile = [1, 1, 1], thread_tile = [4, 8, 1],
  element_tile = [1, 2, 4], subgroup_strides = [0, 0, 0], thread_strides = [8, 1, 0]";
    let text = kernel(cube, "%in: memref<16x16x4xf32>, %one: memref<16x16xf32>, %two: memref<16x16xf32>", body);
    let text = format!(
        "#a = #iree_vector_ext.nested_layout<{}>\n#b = #iree_vector_ext.nested_layout<{}>\n{text}",
        square("1, 1", "16, 2", "1, 8", "2, 1"),
        square("2, 2", "8, 4", "1, 2", "1, 8")
    );
    let zeros = Tensor::zeros(F32, &[16, 16]);
    let facts = Facts::new(chip("sm_80").unwrap());
    stages::alike_on("this", &text, &facts, &[counted(F32, &[16, 16, 4]), zeros.clone(), zeros], 1).unwrap();
    let remarks = facts.remarks.into_inner();
    let told = remarks.iter().filter(|remark| remark.message.starts_with("this conversion goes by"));
    assert_eq!(told.count(), 2, "{remarks:#?}");
}

/// Lanes counted through the workgroup, and three lanes of each subgroup: no number of lanes is a multiple of both, and
/// the value takes two steps.
#[test]
fn lanes_that_go_on_meet_lanes_that_start_anew() {
    let body = "  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<3x128xf32>, vector<3x128xf32>
  %l = iree_vector_ext.to_layout %v to layout(#l) : vector<3x128xf32>
  %a = iree_vector_ext.to_layout %l to layout(#a) : vector<3x128xf32>
  vector.transfer_write %a, %out[%c0, %c0] {in_bounds = [true, true]} : vector<3x128xf32>, memref<3x128xf32>";
    let text = kernel(
        "subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [3, 1],
  element_tile = [1, 128], subgroup_strides = [0, 0], thread_strides = [1, 0]",
        "%in: memref<3x128xf32>, %out: memref<3x128xf32>",
        body,
    );
    let text = format!(
        "#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], \
         thread_tile = [1, 128], element_tile = [3, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>\n{text}"
    );
    let facts = Facts::new(chip("sm_80").unwrap());
    stages::alike_on("this", &text, &facts, &[counted(F32, &[3, 128]), Tensor::zeros(F32, &[3, 128])], 1).unwrap();
    let remarks = facts.remarks.into_inner();
    let n_steps = remarks.iter().filter(|remark| remark.message.starts_with("this conversion goes by")).count();
    assert_eq!(n_steps, 2, "{remarks:#?}");
}

/// Three subgroups in the middle of six: what halves them is not a bit of their number, and meets a swizzle all the same.
#[test]
fn subgroups_are_counted_in_threes() {
    let layout = |name: &str, thread: &str, element: &str, subgroups: &str, threads: &str| {
        format!(
            "#{name} = #iree_vector_ext.nested_layout<subgroup_tile = [2, 3], batch_tile = [1, 1], outer_tile = [1, 1], \
             thread_tile = [{thread}], element_tile = [{element}], subgroup_strides = [{subgroups}], \
             thread_strides = [{threads}]>\n"
        )
    };
    let text = layout("rows", "32, 1", "1, 32", "3, 1", "1, 0")
        + &layout("columns", "1, 32", "32, 1", "1, 2", "0, 1")
        + "func.func @kernel(%in: memref<64x96xf32>, %out: memref<64x96xf32>) attributes {translation_info =
  #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [192, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 7.0 : f32
  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x96xf32>, vector<64x96xf32>
  %l = iree_vector_ext.to_layout %v to layout(#rows) : vector<64x96xf32>
  %a = iree_vector_ext.to_layout %l to layout(#columns) : vector<64x96xf32>
  vector.transfer_write %a, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x96xf32>, memref<64x96xf32>
  return
}";
    alike(&text, &[counted(F32, &[64, 96]), Tensor::zeros(F32, &[64, 96])]);
}

/// What changes lanes inside of each subgroup waits for the subgroup alone; but for that it must wait.
#[test]
fn subgroups_turn_their_parts_alone() {
    let ty = "vector<4x32x32xf32>";
    let body = format!(
        "  %v = vector.transfer_read %in[%c0, %c0, %c0], %pad {{in_bounds = [true, true, true]}} : memref<4x32x32xf32>, {ty}
  %l = iree_vector_ext.to_layout %v to layout(#l) : {ty}
  %a = iree_vector_ext.to_layout %l to layout(#a) : {ty}
  vector.transfer_write %a, %out[%c0, %c0, %c0] {{in_bounds = [true, true, true]}} : {ty}, memref<4x32x32xf32>"
    );
    let layout = |thread: &str, element: &str, strides: &str| {
        format!(
            "subgroup_tile = [4, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [{thread}], \
             element_tile = [{element}], subgroup_strides = [1, 0, 0], thread_strides = [{strides}]"
        )
    };
    let text = kernel(
        &layout("1, 32, 1", "1, 1, 32", "0, 1, 0"),
        "%in: memref<4x32x32xf32>, %out: memref<4x32x32xf32>",
        &body,
    );
    let text = format!("#a = #iree_vector_ext.nested_layout<{}>\n{text}", layout("1, 1, 32", "1, 32, 1", "0, 0, 1"));
    let args = [counted(F32, &[4, 32, 32]), Tensor::zeros(F32, &[4, 32, 32])];
    let (ir, _) = stages::alike("this", &text, "sm_80", &args, 1).unwrap();
    let lowered = raddle_ir::print(&ir, &Default::default());
    let barriers: Vec<&str> = lowered.lines().filter(|line| line.contains("gpu.barrier")).collect();
    assert!(matches!(barriers[..], [one] if one.contains("subgroup")), "{barriers:?}");
    // Without the barrier, lanes read what others may not have written yet.
    let faulty = lowered.replace(barriers[0], "");
    let ir = raddle_ir::parse(&faulty).unwrap();
    let launch = Launch { mode: Mode::Simt, ..Launch::of(&ir, ir.funcs()[0]).unwrap() };
    let found = raddle_emu::run(&ir, ir.funcs()[0], &args, &launch, &Options::default()).unwrap_err();
    assert!(found.message.contains("race"), "{found:?}");
}

/// An exchange inside of subgroups that shares its barrier with one among all of them waits for all.
#[test]
fn subgroups_wait_for_one_another_where_one_exchange_asks_for_it() {
    let ty = "vector<4x32x32xf32>";
    let read = |name: &str| {
        format!(
            "  %{name} = vector.transfer_read %{name}in[%c0, %c0, %c0], %pad {{in_bounds = [true, true, true]}} : memref<4x32x32xf32>, {ty}\n"
        )
    };
    let write = |value: &str, name: &str| {
        format!(
            "  vector.transfer_write %{value}, %{name}in[%c0, %c0, %c0] {{in_bounds = [true, true, true]}} : {ty}, memref<4x32x32xf32>\n"
        )
    };
    let anchor = |new: &str, old: &str, layout: &str| {
        format!("  %{new} = iree_vector_ext.to_layout %{old} to layout(#{layout}) : {ty}\n")
    };
    let body = [
        read("x"),
        read("y"),
        anchor("a", "x", "l"),
        anchor("b", "y", "l"),
        anchor("c", "a", "inside"),
        anchor("d", "b", "among"),
        write("c", "x"),
        write("d", "y"),
    ];
    let layout = |subgroup: &str, thread: &str, element: &str, strides: [&str; 2]| {
        format!(
            "subgroup_tile = [{subgroup}], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [{thread}], \
             element_tile = [{element}], subgroup_strides = [{}], thread_strides = [{}]",
            strides[0], strides[1]
        )
    };
    let text = kernel(
        &layout("4, 1, 1", "1, 32, 1", "1, 1, 32", ["1, 0, 0", "0, 1, 0"]),
        "%xin: memref<4x32x32xf32>, %yin: memref<4x32x32xf32>",
        &body.concat(),
    );
    let text = format!(
        "#inside = #iree_vector_ext.nested_layout<{}>\n#among = #iree_vector_ext.nested_layout<{}>\n{text}",
        layout("4, 1, 1", "1, 1, 32", "1, 32, 1", ["1, 0, 0", "0, 0, 1"]),
        layout("1, 4, 1", "1, 1, 32", "4, 8, 1", ["0, 1, 0", "0, 0, 1"])
    );
    alike(&text, &[counted(F32, &[4, 32, 32]), counted(F32, &[4, 32, 32])]);
}
