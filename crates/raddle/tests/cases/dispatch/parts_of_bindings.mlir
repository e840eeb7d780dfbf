// What a dispatch puts into a part of a binding is stored there by the kernel that computes it, on matrix units, too, and
// what it only moves there is copied by vectors.
// RUN: raddle run --all %s
// RUN: raddle run --all %s --device=ptx-emu
// RUN: raddle run --all %s --device=cpu
// RUN: raddle opt %s --to=vector | grep -e contract -e transfer_write -e reinterpret_cast

func.func @product() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<60x128xf16>>
  %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<70x80xf32>>
  %a = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [60, 128], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<60x128xf16>> -> tensor<60x128xf16>
  %e = tensor.empty() : tensor<60x60xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<60x60xf32>) -> tensor<60x60xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %a : tensor<60x128xf16>, tensor<60x128xf16>) outs(%f : tensor<60x60xf32>) -> tensor<60x60xf32>
  iree_tensor_ext.dispatch.tensor.store %r, %1, offsets = [3, 5], sizes = [60, 60], strides = [1, 1] : tensor<60x60xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<70x80xf32>>
  return
}

func.func @copy() {
  %c0 = arith.constant 0 : index
  %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x3x16x16xf16>>
  %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x3x18x18xf16>>
  %a = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0, 0, 0], sizes = [2, 3, 16, 16], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x3x16x16xf16>> -> tensor<2x3x16x16xf16>
  iree_tensor_ext.dispatch.tensor.store %a, %1, offsets = [0, 0, 1, 1], sizes = [2, 3, 16, 16], strides = [1, 1, 1, 1] : tensor<2x3x16x16xf16> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x3x18x18xf16>>
  return
}

// $ raddle run --all %s
// ok       @product
// ok       @copy
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run --all %s --device=ptx-emu
// ok       @product
// ok       @copy
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run --all %s --device=cpu
// ok       @product
// ok       @copy
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=vector | grep -e contract -e transfer_write -e reinterpret_cast
//     %reinterpret_cast = memref.reinterpret_cast %arg1 to offset: [245], sizes: [60, 60], strides: [80, 1] : memref<70x80xf32> to memref<60x60xf32, strided<[80, 1], offset: 245>>
//     %11 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %8, %9, %10 {iree.gpu.mma = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>} : vector<16x128xf16>, vector<16x128xf16> into vector<16x16xf32>
//     vector.transfer_write %12, %reinterpret_cast[%0, %1] : vector<16x16xf32>, memref<60x60xf32, strided<[80, 1], offset: 245>>
//     %reinterpret_cast = memref.reinterpret_cast %arg1 to offset: [19], sizes: [2, 3, 16, 16], strides: [972, 324, 18, 1] : memref<2x3x18x18xf16> to memref<2x3x16x16xf16, strided<[972, 324, 18, 1], offset: 19>>
//     vector.transfer_write %3, %reinterpret_cast[%0, %1, %c0_1, %c0_2] {in_bounds = [true, true, true, true]} : vector<1x1x16x16xf16>, memref<2x3x16x16xf16, strided<[972, 324, 18, 1], offset: 19>>
