// Results that lie where arguments lie: the kernel writes in place where it can, and elsewhere where it cannot.
// RUN: raddle run --all %s
// RUN: raddle run --all %s --device=ptx-emu
// RUN: raddle build %s --function=accumulate_rows | grep bar.sync

// Each thread overwrites what it has read.
func.func @accumulate_rows() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<7xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<7x100xf32>>
  %x0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [7], strides = [1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<7xf32>> -> tensor<7xf32>
  %x1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [7, 100], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<7x100xf32>> -> tensor<7x100xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x1 : tensor<7x100xf32>) outs(%x0 : tensor<7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<7xf32>
  iree_tensor_ext.dispatch.tensor.store %s, %b0, offsets = [0], sizes = [7], strides = [1] : tensor<7xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<7xf32>>
  return
}

// The same along columns.
func.func @accumulate_columns() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<900xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x900xf32>>
  %x0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [900], strides = [1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<900xf32>> -> tensor<900xf32>
  %x1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [4, 900], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x900xf32>> -> tensor<4x900xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x1 : tensor<4x900xf32>) outs(%x0 : tensor<900xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<900xf32>
  iree_tensor_ext.dispatch.tensor.store %s, %b0, offsets = [0], sizes = [900], strides = [1] : tensor<900xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<900xf32>>
  return
}

// A sum that several lanes hold, and one writes.
func.func @accumulate_one() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<1xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x1xf32>>
  %x0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0], sizes = [1], strides = [1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<1xf32>> -> tensor<1xf32>
  %x1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [1, 1], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x1xf32>> -> tensor<1x1xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x1 : tensor<1x1xf32>) outs(%x0 : tensor<1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<1xf32>
  iree_tensor_ext.dispatch.tensor.store %s, %b0, offsets = [0], sizes = [1], strides = [1] : tensor<1xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<1xf32>>
  return
}

// Accumulators of a product.
func.func @accumulate_product() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x64xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x64xf32>>
  %b2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(2) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x64xf32>>
  %x0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x64xf32>> -> tensor<64x64xf32>
  %x1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x64xf32>> -> tensor<64x64xf32>
  %x2 = iree_tensor_ext.dispatch.tensor.load %b2, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x64xf32>> -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x1, %x2 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%x0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %eh = tensor.empty() : tensor<64x64xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<64x64xf32>) outs(%eh : tensor<64x64xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  iree_tensor_ext.dispatch.tensor.store %h, %b0, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : tensor<64x64xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x64xf32>>
  return
}

// Other workgroups still read what would be overwritten.
func.func @transposed() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x40xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x40xf32>>
  %x0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [40, 40], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x40xf32>> -> tensor<40x40xf32>
  %x1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [40, 40], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x40xf32>> -> tensor<40x40xf32>
  %eh = tensor.empty() : tensor<40x40xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x0, %x1 : tensor<40x40xf32>, tensor<40x40xf32>) outs(%eh : tensor<40x40xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<40x40xf32>
  %et = tensor.empty() : tensor<40x40xf32>
  %t = linalg.transpose ins(%h : tensor<40x40xf32>) outs(%et : tensor<40x40xf32>) permutation = [1, 0]
  iree_tensor_ext.dispatch.tensor.store %t, %b0, offsets = [0, 0], sizes = [40, 40], strides = [1, 1] : tensor<40x40xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x40xf32>>
  return
}

// The same.
func.func @product() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<80x80xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<80x80xf32>>
  %x0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [80, 80], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<80x80xf32>> -> tensor<80x80xf32>
  %x1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [80, 80], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<80x80xf32>> -> tensor<80x80xf32>
  %eh = tensor.empty() : tensor<80x80xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x0, %x0 : tensor<80x80xf32>, tensor<80x80xf32>) outs(%eh : tensor<80x80xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<80x80xf32>
  %et = tensor.empty() : tensor<80x80xf32>
  %z = linalg.fill ins(%zero : f32) outs(%et : tensor<80x80xf32>) -> tensor<80x80xf32>
  %t = linalg.matmul ins(%h, %x1 : tensor<80x80xf32>, tensor<80x80xf32>) outs(%z : tensor<80x80xf32>) -> tensor<80x80xf32>
  iree_tensor_ext.dispatch.tensor.store %t, %b0, offsets = [0, 0], sizes = [80, 80], strides = [1, 1] : tensor<80x80xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<80x80xf32>>
  return
}

// Another result depends on it.
func.func @add_and_sum() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x1xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x1xf32>>
  %b2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(2) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5xf32>>
  %x0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [5, 1], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x1xf32>> -> tensor<5x1xf32>
  %x1 = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [5, 1], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<5x1xf32>> -> tensor<5x1xf32>
  %eh = tensor.empty() : tensor<5x1xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x0, %x1 : tensor<5x1xf32>, tensor<5x1xf32>) outs(%eh : tensor<5x1xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<5x1xf32>
  %es = tensor.empty() : tensor<5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%es : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%h : tensor<5x1xf32>) outs(%z : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  iree_tensor_ext.dispatch.tensor.store %h, %b0, offsets = [0, 0], sizes = [5, 1], strides = [1, 1] : tensor<5x1xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x1xf32>>
  iree_tensor_ext.dispatch.tensor.store %s, %b2, offsets = [0], sizes = [5], strides = [1] : tensor<5xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<5xf32>>
  return
}

// Rows that are longer than the registers of a workgroup.
func.func @normalized() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<1x7000xf32>>
  %x0 = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [1, 7000], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<1x7000xf32>> -> tensor<1x7000xf32>
  %es = tensor.empty() : tensor<1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%es : tensor<1xf32>) -> tensor<1xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x0 : tensor<1x7000xf32>) outs(%z : tensor<1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<1xf32>
  %ey = tensor.empty() : tensor<1x7000xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x0, %s : tensor<1x7000xf32>, tensor<1xf32>) outs(%ey : tensor<1x7000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x7000xf32>
  iree_tensor_ext.dispatch.tensor.store %y, %b0, offsets = [0, 0], sizes = [1, 7000], strides = [1, 1] : tensor<1x7000xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<1x7000xf32>>
  return
}

// The updates of a row are one team's.
func.func @scatter() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x7xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x7xf32>>
  %old = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [9, 7], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x7xf32>> -> tensor<9x7xf32>
  %updates = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [64, 7], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x7xf32>> -> tensor<64x7xf32>
  %empty = tensor.empty() : tensor<64xi32>
  %nine = arith.constant 9 : index
  %indices = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<64xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %k = arith.remui %i, %nine : index
    %r = arith.index_cast %k : index to i32
    linalg.yield %r : i32
  } -> tensor<64xi32>
  %new = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%updates, %indices : tensor<64x7xf32>, tensor<64xi32>) outs(%old : tensor<9x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<9x7xf32>
  iree_tensor_ext.dispatch.tensor.store %new, %b0, offsets = [0, 0], sizes = [9, 7], strides = [1, 1] : tensor<9x7xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x7xf32>>
  return
}

// Each line is sorted by one team of threads.
func.func @sort() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x70xf32>>
  %old = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [9, 70], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x70xf32>> -> tensor<9x70xf32>
  %new = iree_linalg_ext.sort dimension(1) outs(%old : tensor<9x70xf32>) {
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %less : i1
  } -> tensor<9x70xf32>
  iree_tensor_ext.dispatch.tensor.store %new, %b0, offsets = [0, 0], sizes = [9, 70], strides = [1, 1] : tensor<9x70xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x70xf32>>
  return
}

// $ raddle run --all %s
// ok       @accumulate_rows
// ok       @accumulate_columns
// ok       @accumulate_one
// ok       @accumulate_product
// ok       @transposed
// ok       @product
// ok       @add_and_sum
// ok       @normalized
// ok       @scatter
// ok       @sort
// 10 functions: 10 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run --all %s --device=ptx-emu
// ok       @accumulate_rows
// ok       @accumulate_columns
// ok       @accumulate_one
// ok       @accumulate_product
// ok       @transposed
// ok       @product
// ok       @add_and_sum
// ok       @normalized
// ok       @scatter
// ok       @sort
// 10 functions: 10 right, 0 refused, 0 wrong, 0 bugs

// $ raddle build %s --function=accumulate_rows | grep bar.sync
//     bar.sync 0;
