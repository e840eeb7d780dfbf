// IREE packs small values into one binding, one behind the other. A part that begins at byte 24 or 12 is read and written by
// accesses that are as wide as that allows, and no asynchronous copies read it.

// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle build %s --function=twice --emit=ptx | grep -e 'ld.global' -e 'st.global'
// RUN: raddle build %s --function=product --emit=ptx | grep -c 'cp.async.cg'

#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

func.func @twice() {
  %c12 = arith.constant 12 : index
  %c24 = arith.constant 24 : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c24) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x64xf32>>
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c12) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x64xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [8, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x64xf32>> -> tensor<8x64xf32>
  %empty = tensor.empty() : tensor<8x64xf32>
  %sum = linalg.add ins(%x, %x : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  iree_tensor_ext.dispatch.tensor.store %sum, %out, offsets = [0, 0], sizes = [8, 64], strides = [1, 1] : tensor<8x64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x64xf32>>
  return
}

// The left factor begins between multiples, the right one does not.
func.func @product() {
  %c0 = arith.constant 0 : index
  %c24 = arith.constant 24 : index
  %zero = arith.constant 0.0 : f32
  %left = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c24) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x128xf16>>
  %right = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x128xf16>>
  %out = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(2) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x128xf32>>
  %a = iree_tensor_ext.dispatch.tensor.load %left, offsets = [0, 0], sizes = [128, 128], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x128xf16>> -> tensor<128x128xf16>
  %b = iree_tensor_ext.dispatch.tensor.load %right, offsets = [0, 0], sizes = [128, 128], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x128xf16>> -> tensor<128x128xf16>
  %empty = tensor.empty() : tensor<128x128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x128xf16>, tensor<128x128xf16>) outs(%none : tensor<128x128xf32>) -> tensor<128x128xf32>
  iree_tensor_ext.dispatch.tensor.store %c, %out, offsets = [0, 0], sizes = [128, 128], strides = [1, 1] : tensor<128x128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x128xf32>>
  return
}

// $ raddle run %s --all
// ok       @twice
// ok       @product
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @twice
// ok       @product
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle build %s --function=twice --emit=ptx | grep -e 'ld.global' -e 'st.global'
//     ld.global.nc.v2.f32 {%f0, %f1}, [%rd8];
//     ld.global.nc.v2.f32 {%f2, %f3}, [%rd8+8];
//     st.global.f32 [%rd9], %f6;
//     st.global.f32 [%rd9+4], %f7;
//     st.global.f32 [%rd9+8], %f4;
//     st.global.f32 [%rd9+12], %f5;

// $ raddle build %s --function=product --emit=ptx | grep -c 'cp.async.cg'
// 0
