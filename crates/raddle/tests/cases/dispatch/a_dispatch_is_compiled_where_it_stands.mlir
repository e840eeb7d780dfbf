// Commands find functions inside of executables, and compute what they compute.
// RUN: raddle run %s --input=128xf32=-2.5 --expected_output=128xf32=2.5 | grep correct
// RUN: raddle run %s --input=128xf32=-2.5 --expected_output=128xf32=-2.5 | grep WRONG
// RUN: raddle opt %s --to=lowered | grep -e raddle.interface -e linalg
#layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>
hal.executable private @one {
  hal.executable.variant public @cuda target(<"cuda", "cuda-nvptx-fb">) {
    hal.executable.export public @one_copy ordinal(0) layout(#layout) count(%d: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @one_copy() {
        %c64 = arith.constant 64 : index
        %to = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c64) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        %from = hal.interface.binding.subspan layout(#layout) binding(1) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %t = iree_tensor_ext.dispatch.tensor.load %from, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %e = tensor.empty() : tensor<128xf32>
        %r = linalg.abs ins(%t : tensor<128xf32>) outs(%e : tensor<128xf32>) -> tensor<128xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %to, offsets = [0], sizes = [128], strides = [1] : tensor<128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        return
      }
    }
  }
}

// $ raddle run %s --input=128xf32=-2.5 --expected_output=128xf32=2.5 | grep correct
// correct: all 128 elements equal the expected output bit for bit

// $ raddle run %s --input=128xf32=-2.5 --expected_output=128xf32=-2.5 | grep WRONG
// WRONG: 128 of 128 elements (100.000 %) differ from the expected output; accepted: within 2.38e-6 + 2.38e-7·|expected|
// [exit status 1]

// $ raddle opt %s --to=lowered | grep -e raddle.interface -e linalg
//   func.func @one_copy(%arg0: memref<128xf32>, %arg1: memref<128xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, raddle.interface = {arguments = [{binding = 1 : i64, extents = #map, offset = #map1}], bindings = 2 : i64, constants = 1 : i64, results = [{binding = 0 : i64, extents = #map, offset = #map2}]}, translation_info = #translation} {
