// Where IREE has chosen configurations, structured operations may work on bindings as buffers, and tensors may be loaded
// from parts of them and stored to parts: a copy into the middle of a binding leaves the rest as it is.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle opt %s --to=configured | grep raddle.interface
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<Distribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
#ij = affine_map<(i, j) -> (i, j)>
func.func @copy() attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %0 = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c128) flags("ReadOnly|Indirect") : memref<13x11xf32, strided<[11, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
  %1 = memref.assume_alignment %0, 64 : memref<13x11xf32, strided<[11, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
  %2 = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) flags(Indirect) : memref<17x15xf32, #hal.descriptor_type<storage_buffer>>
  %3 = memref.subview %2[2, 1] [13, 11] [1, 1] : memref<17x15xf32, #hal.descriptor_type<storage_buffer>> to memref<13x11xf32, strided<[15, 1], offset: 31>, #hal.descriptor_type<storage_buffer>>
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%1 : memref<13x11xf32, strided<[11, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>) outs(%3 : memref<13x11xf32, strided<[15, 1], offset: 31>, #hal.descriptor_type<storage_buffer>>) attrs = {lowering_config = #iree_codegen.lowering_config<tile_sizes = [[1, 64]]>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}
func.func @part() attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %0 = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<3x8x6xf32, #hal.descriptor_type<storage_buffer>>
  %1 = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) flags(Indirect) : memref<8x6xf32, #hal.descriptor_type<storage_buffer>>
  %2 = memref.subview %0[1, 0, 0] [1, 8, 6] [1, 1, 1] : memref<3x8x6xf32, #hal.descriptor_type<storage_buffer>> to memref<8x6xf32, strided<[6, 1], offset: 48>, #hal.descriptor_type<storage_buffer>>
  %3 = iree_codegen.load_from_buffer %2 : memref<8x6xf32, strided<[6, 1], offset: 48>, #hal.descriptor_type<storage_buffer>> -> tensor<8x6xf32>
  %4 = tensor.empty() : tensor<8x6xf32>
  %5 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8x6xf32>) outs(%4 : tensor<8x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<8x6xf32>
  iree_codegen.store_to_buffer %5, %1 : tensor<8x6xf32> into memref<8x6xf32, #hal.descriptor_type<storage_buffer>>
  return
}

// $ raddle run %s --all
// ok       @copy
// ok       @part
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @copy
// ok       @part
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured | grep raddle.interface
//   func.func @copy(%arg0: tensor<13x11xf32>, %arg1: tensor<17x15xf32>) -> tensor<17x15xf32> attributes {raddle.interface = {arguments = [{binding = 0 : i64, extents = #map, offset = #map1}, {binding = 1 : i64, extents = #map2, offset = #map3}], bindings = 2 : i64, constants = 0 : i64, results = [{binding = 1 : i64, extents = #map2, offset = #map3}]}, translation_info = #translation} {
//   func.func @part(%arg0: tensor<3x8x6xf32>) -> tensor<8x6xf32> attributes {raddle.interface = {arguments = [{binding = 0 : i64, extents = #map5, offset = #map3}], bindings = 2 : i64, constants = 0 : i64, results = [{binding = 1 : i64, extents = #map6, offset = #map3}]}, translation_info = #translation} {
