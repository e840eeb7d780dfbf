// Where IREE has chosen configurations for an AMD chip, tensors are loaded from buffers in the address space of its buffer
// instructions, one of which begins at an offset: these are the bindings.
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --to=configured --target=gfx942 | grep -e raddle.interface -e memref
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>
func.func @halved() {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %half = arith.constant 0.5 : f32
  %0 = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c256) flags("ReadOnly|Indirect") : memref<7x50xf32, strided<[50, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
  %1 = amdgpu.fat_raw_buffer_cast %0 resetOffset : memref<7x50xf32, strided<[50, 1], offset: ?>, #hal.descriptor_type<storage_buffer>> to memref<7x50xf32, #amdgpu.address_space<fat_raw_buffer>>
  %2 = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) flags(Indirect) : memref<7x50xf32, #hal.descriptor_type<storage_buffer>>
  %3 = amdgpu.fat_raw_buffer_cast %2 resetOffset : memref<7x50xf32, #hal.descriptor_type<storage_buffer>> to memref<7x50xf32, #amdgpu.address_space<fat_raw_buffer>>
  %4 = iree_codegen.load_from_buffer %1 : memref<7x50xf32, #amdgpu.address_space<fat_raw_buffer>> -> tensor<7x50xf32>
  %5 = tensor.empty() : tensor<7x50xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<7x50xf32>) outs(%5 : tensor<7x50xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.mulf %a, %half : f32
    linalg.yield %t : f32
  } -> tensor<7x50xf32>
  iree_codegen.store_to_buffer %6, %3 : tensor<7x50xf32> into memref<7x50xf32, #amdgpu.address_space<fat_raw_buffer>>
  return
}

// $ raddle run %s --all --target=gfx942
// ok       @halved
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured --target=gfx942 | grep -e raddle.interface -e memref
//   func.func @halved(%arg0: tensor<7x50xf32>) -> tensor<7x50xf32> attributes {raddle.interface = {arguments = [{binding = 0 : i64, extents = #map, offset = #map1}], bindings = 2 : i64, constants = 0 : i64, results = [{binding = 1 : i64, extents = #map, offset = #map2}]}, translation_info = #translation} {
