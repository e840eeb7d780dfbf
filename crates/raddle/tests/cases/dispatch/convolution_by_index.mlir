// A dispatch that convolves an image with its channels first is one kernel: sums are one loop, along which matrix
// instructions go and the filters are read as they lie, and the windows are taken from the image by index.
// RUN: raddle run --all %s --target=sm_80
// RUN: raddle run --all %s --target=sm_90a --device=ptx-emu
// RUN: raddle run --all %s --target=gfx942
// RUN: raddle run --all %s --device=cpu
// RUN: raddle opt %s --to=vector --target=sm_80 | grep -c transfer_gather
func.func @padded() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x16x18x18xf16>>
  %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<24x16x3x3xf16>>
  %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(2) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x24x18x18xf16>>
  %x = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0, 0, 0], sizes = [2, 16, 18, 18], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x16x18x18xf16>> -> tensor<2x16x18x18xf16>
  %k = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0, 0, 0], sizes = [24, 16, 3, 3], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<24x16x3x3xf16>> -> tensor<24x16x3x3xf16>
  %e = tensor.empty() : tensor<2x24x16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x16x16xf32>) -> tensor<2x24x16x16xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<2x16x18x18xf16>, tensor<24x16x3x3xf16>) outs(%f : tensor<2x24x16x16xf32>) -> tensor<2x24x16x16xf32>
  %o = tensor.empty() : tensor<2x24x16x16xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x24x16x16xf32>) outs(%o : tensor<2x24x16x16xf16>) {
  ^bb0(%v: f32, %w: f16):
    %p = arith.maximumf %v, %z : f32
    %t = arith.truncf %p : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x24x16x16xf16>
  iree_tensor_ext.dispatch.tensor.store %r, %2, offsets = [0, 0, 1, 1], sizes = [2, 24, 16, 16], strides = [1, 1, 1, 1] : tensor<2x24x16x16xf16> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x24x18x18xf16>>
  return
}

// Every other place, of few channels in groups, without a matrix instruction: their windows are read where they lie.
func.func @groups() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x15x15xf32>>
  %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6x8x3x3xf32>>
  %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(2) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6x7x7xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0, 0, 0], sizes = [2, 8, 15, 15], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x15x15xf32>> -> tensor<2x8x15x15xf32>
  %k = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0, 0, 0, 0], sizes = [2, 6, 8, 3, 3], strides = [1, 1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x6x8x3x3xf32>> -> tensor<2x6x8x3x3xf32>
  %e = tensor.empty() : tensor<2x6x7x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x6x7x7xf32>) -> tensor<2x6x7x7xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(g, f, y, x, c, i, j) -> (g, c, y * 2 + i, x * 2 + j)>, affine_map<(g, f, y, x, c, i, j) -> (g, f, c, i, j)>, affine_map<(g, f, y, x, c, i, j) -> (g, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %k : tensor<2x8x15x15xf32>, tensor<2x6x8x3x3xf32>) outs(%f : tensor<2x6x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x6x7x7xf32>
  iree_tensor_ext.dispatch.tensor.store %c, %2, offsets = [0, 0, 0, 0], sizes = [2, 6, 7, 7], strides = [1, 1, 1, 1] : tensor<2x6x7x7xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x6x7x7xf32>>
  return
}

// $ raddle run --all %s --target=sm_80
// ok       @padded
// ok       @groups
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run --all %s --target=sm_90a --device=ptx-emu
// ok       @padded
// ok       @groups
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run --all %s --target=gfx942
// ok       @padded
// ok       @groups
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run --all %s --device=cpu
// ok       @padded
// ok       @groups
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=vector --target=sm_80 | grep -c transfer_gather
// 1
