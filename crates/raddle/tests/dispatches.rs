//! Dispatches and tests as IREE has them, through the command line.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::common::raddle_with;

/// One executable: a copy by an elementwise operation, or an operation that nothing compiles.
fn executable(name: &str, compute: &str) -> String {
    format!(
        "hal.executable private @{name} {{
  hal.executable.variant public @cuda target(<\"cuda\", \"cuda-nvptx-fb\">) {{
    hal.executable.export public @{name}_copy ordinal(0) layout(#layout) count(%d: !hal.device) -> (index, index, index) {{
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }}
    builtin.module {{
      func.func @{name}_copy() {{
        %c64 = arith.constant 64 : index
        %to = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c64) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        %from = hal.interface.binding.subspan layout(#layout) binding(1) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %t = iree_tensor_ext.dispatch.tensor.load %from, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %e = tensor.empty() : tensor<128xf32>
        {compute}
        iree_tensor_ext.dispatch.tensor.store %r, %to, offsets = [0], sizes = [128], strides = [1] : tensor<128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        return
      }}
    }}
  }}
}}
"
    )
}

const LAYOUT: &str = "#layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>\n";
const ABS: &str = "%r = linalg.abs ins(%t : tensor<128xf32>) outs(%e : tensor<128xf32>) -> tensor<128xf32>";
/// Numbers that no machine here computes with keep every kernel out.
const REFUSED: &str = "%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} ins(%t : tensor<128xf32>) outs(%e : tensor<128xf32>) {
        ^bb0(%x: f32, %o: f32):
          %w = arith.extf %x : f32 to f128
          %u = arith.mulf %w, %w : f128
          %v = arith.truncf %u : f128 to f32
          linalg.yield %v : f32
        } -> tensor<128xf32>";

/// A kernel takes what IREE passes: the bindings in order, then the constants, and adds the offsets itself.
#[test]
fn a_kernel_keeps_the_interface() {
    let text = format!("{LAYOUT}{}", executable("one", ABS));
    let ptx = raddle_with(&["build", "-"], &text).out;
    let header = ptx.split_once(".entry").unwrap().1.split_once(')').unwrap().0.to_owned();
    let params: Vec<&str> = header.lines().filter_map(|line| line.trim().strip_prefix(".param ")).collect();
    assert_eq!(params, [".u64 arg0,", ".u64 arg1,", ".u32 arg2"]);
    assert!(ptx.contains("64;") && ptx.contains("add.s64"), "the result starts at byte 64 of its binding: {ptx}");
}

/// Of a dump, each dispatch is a file; what is refused does not keep the others.
#[test]
fn a_dump_becomes_many_files() {
    let dump = format!("{LAYOUT}{}{}{}", executable("one", ABS), executable("two", REFUSED), executable("three", ABS));
    let folder = tempfile::tempdir().unwrap();
    raddle_with(&["build", "-", "-o", folder.path().to_str().unwrap()], &dump).says(1, &["1 refused"]);
    let mut files: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["one_copy.json", "one_copy.ptx", "three_copy.json", "three_copy.ptx"]);
}
