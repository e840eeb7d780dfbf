// A binding of complex numbers is one of pairs of floats, at the same bytes.
// RUN: raddle run %s --input=128xcomplex<f32>=1+2j --expected_output=128xcomplex<f32>=-3+4j | grep correct
// RUN: raddle opt %s --to=lowered | grep raddle.interface
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
        %to = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c64) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xcomplex<f32>>>
        %from = hal.interface.binding.subspan layout(#layout) binding(1) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xcomplex<f32>>>
        %t = iree_tensor_ext.dispatch.tensor.load %from, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xcomplex<f32>>> -> tensor<128xcomplex<f32>>
        %e = tensor.empty() : tensor<128xcomplex<f32>>
        %r = linalg.mul ins(%t, %t : tensor<128xcomplex<f32>>, tensor<128xcomplex<f32>>) outs(%e : tensor<128xcomplex<f32>>) -> tensor<128xcomplex<f32>>
        iree_tensor_ext.dispatch.tensor.store %r, %to, offsets = [0], sizes = [128], strides = [1] : tensor<128xcomplex<f32>> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xcomplex<f32>>>
        return
      }
    }
  }
}

// $ raddle run %s --input=128xcomplex<f32>=1+2j --expected_output=128xcomplex<f32>=-3+4j | grep correct
// correct: all 256 elements equal the expected output bit for bit

// $ raddle opt %s --to=lowered | grep raddle.interface
//   func.func @one_copy(%arg0: memref<256xf32>, %arg1: memref<256xf32>) attributes {gpu.known_grid_size = array<i32: 4, 1, 1>, raddle.interface = {arguments = [{binding = 1 : i64, extents = #map, offset = #map1}], bindings = 2 : i64, constants = 1 : i64, results = [{binding = 0 : i64, extents = #map, offset = #map2}]}, translation_info = #translation} {
