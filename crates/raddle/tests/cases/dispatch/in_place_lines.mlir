// Lines that threads share, where results lie where arguments lie: nobody reads what another thread has overwritten, and
// each place is one team's.
// RUN: raddle run --all %s
// RUN: raddle run --all %s --device=ptx-emu
// RUN: raddle run --all %s --target=gfx942
// RUN: raddle build %s --function=replace_rows | grep -c bar.sync

// The last update of a row is what stays; some are outside.
func.func @replace_rows() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x600xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<90x600xf32>>
  %old = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [40, 600], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x600xf32>> -> tensor<40x600xf32>
  %updates = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [90, 600], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<90x600xf32>> -> tensor<90x600xf32>
  %empty = tensor.empty() : tensor<90xi32>
  %rows = arith.constant 47 : index
  %indices = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<90xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.muli %i, %i : index
    %k = arith.remui %j, %rows : index
    %r = arith.index_cast %k : index to i32
    linalg.yield %r : i32
  } -> tensor<90xi32>
  %new = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%updates, %indices : tensor<90x600xf32>, tensor<90xi32>) outs(%old : tensor<40x600xf32>) {
  ^bb0(%a: f32, %o: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<40x600xf32>
  iree_tensor_ext.dispatch.tensor.store %new, %b0, offsets = [0, 0], sizes = [40, 600], strides = [1, 1] : tensor<40x600xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x600xf32>>
  return
}

// Updates of a row are combined in their order.
func.func @combine_rows() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x600xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<90x600xf32>>
  %old = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [40, 600], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x600xf32>> -> tensor<40x600xf32>
  %updates = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [90, 600], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<90x600xf32>> -> tensor<90x600xf32>
  %empty = tensor.empty() : tensor<90xi32>
  %rows = arith.constant 47 : index
  %indices = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<90xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.muli %i, %i : index
    %k = arith.remui %j, %rows : index
    %r = arith.index_cast %k : index to i32
    linalg.yield %r : i32
  } -> tensor<90xi32>
  %emask = tensor.empty() : tensor<90xi1>
  %mask = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%emask : tensor<90xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %c5 = arith.constant 5 : index
    %k = arith.remui %i, %c5 : index
    %r = arith.cmpi ne, %k, %c0 : index
    linalg.yield %r : i1
  } -> tensor<90xi1>
  %new = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%updates, %indices, %mask : tensor<90x600xf32>, tensor<90xi32>, tensor<90xi1>) outs(%old : tensor<40x600xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.subf %a, %o : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<40x600xf32>
  iree_tensor_ext.dispatch.tensor.store %new, %b0, offsets = [0, 0], sizes = [40, 600], strides = [1, 1] : tensor<40x600xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x600xf32>>
  return
}

// The same where a subgroup has a row.
func.func @combine_short_rows() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x7xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x7xf32>>
  %old = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [9, 7], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x7xf32>> -> tensor<9x7xf32>
  %updates = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [64, 7], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x7xf32>> -> tensor<64x7xf32>
  %empty = tensor.empty() : tensor<64xi32>
  %rows = arith.constant 11 : index
  %indices = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<64xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.muli %i, %i : index
    %k = arith.remui %j, %rows : index
    %r = arith.index_cast %k : index to i32
    linalg.yield %r : i32
  } -> tensor<64xi32>
  %emask = tensor.empty() : tensor<64xi1>
  %mask = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%emask : tensor<64xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %c5 = arith.constant 5 : index
    %k = arith.remui %i, %c5 : index
    %r = arith.cmpi ne, %k, %c0 : index
    linalg.yield %r : i1
  } -> tensor<64xi1>
  %new = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%updates, %indices, %mask : tensor<64x7xf32>, tensor<64xi32>, tensor<64xi1>) outs(%old : tensor<9x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.subf %a, %o : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<9x7xf32>
  iree_tensor_ext.dispatch.tensor.store %new, %b0, offsets = [0, 0], sizes = [9, 7], strides = [1, 1] : tensor<9x7xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x7xf32>>
  return
}

// The last one where some lanes have a row, and rows do not fill a subgroup.
func.func @replace_short_rows() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x3xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>>
  %old = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [9, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x3xf32>> -> tensor<9x3xf32>
  %updates = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [6, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x3xf32>> -> tensor<6x3xf32>
  %empty = tensor.empty() : tensor<6xi32>
  %rows = arith.constant 3 : index
  %indices = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<6xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.muli %i, %i : index
    %k = arith.remui %j, %rows : index
    %r = arith.index_cast %k : index to i32
    linalg.yield %r : i32
  } -> tensor<6xi32>
  %new = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%updates, %indices : tensor<6x3xf32>, tensor<6xi32>) outs(%old : tensor<9x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<9x3xf32>
  iree_tensor_ext.dispatch.tensor.store %new, %b0, offsets = [0, 0], sizes = [9, 3], strides = [1, 1] : tensor<9x3xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x3xf32>>
  return
}

// No row is named twice.
func.func @unique_rows() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x600xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<30x600xf32>>
  %old = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [40, 600], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x600xf32>> -> tensor<40x600xf32>
  %updates = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [30, 600], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<30x600xf32>> -> tensor<30x600xf32>
  %empty = tensor.empty() : tensor<30xi32>
  %rows = arith.constant 41 : index
  %seven = arith.constant 7 : index
  %indices = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<30xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.muli %i, %seven : index
    %k = arith.remui %j, %rows : index
    %r = arith.index_cast %k : index to i32
    linalg.yield %r : i32
  } -> tensor<30xi32>
  %new = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%updates, %indices : tensor<30x600xf32>, tensor<30xi32>) outs(%old : tensor<40x600xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<40x600xf32>
  iree_tensor_ext.dispatch.tensor.store %new, %b0, offsets = [0, 0], sizes = [40, 600], strides = [1, 1] : tensor<40x600xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x600xf32>>
  return
}

// A workgroup has a line.
func.func @sort_lines() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x700xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x700xi32>>
  %keys = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [5, 700], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x700xf32>> -> tensor<5x700xf32>
  %values = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [5, 700], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x700xi32>> -> tensor<5x700xi32>
  %new:2 = iree_linalg_ext.sort dimension(1) outs(%keys, %values : tensor<5x700xf32>, tensor<5x700xi32>) {
  ^bb0(%a: f32, %b: f32, %p: i32, %q: i32):
    %less = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %less : i1
  } -> tensor<5x700xf32>, tensor<5x700xi32>
  iree_tensor_ext.dispatch.tensor.store %new#0, %b0, offsets = [0, 0], sizes = [5, 700], strides = [1, 1] : tensor<5x700xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x700xf32>>
  iree_tensor_ext.dispatch.tensor.store %new#1, %b1, offsets = [0, 0], sizes = [5, 700], strides = [1, 1] : tensor<5x700xi32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<5x700xi32>>
  return
}

// The same along columns.
func.func @sort_columns() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<300x5xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<300x5xi32>>
  %keys = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [300, 5], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<300x5xf32>> -> tensor<300x5xf32>
  %values = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [300, 5], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<300x5xi32>> -> tensor<300x5xi32>
  %new:2 = iree_linalg_ext.sort dimension(0) outs(%keys, %values : tensor<300x5xf32>, tensor<300x5xi32>) {
  ^bb0(%a: f32, %b: f32, %p: i32, %q: i32):
    %less = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %less : i1
  } -> tensor<300x5xf32>, tensor<300x5xi32>
  iree_tensor_ext.dispatch.tensor.store %new#0, %b0, offsets = [0, 0], sizes = [300, 5], strides = [1, 1] : tensor<300x5xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<300x5xf32>>
  iree_tensor_ext.dispatch.tensor.store %new#1, %b1, offsets = [0, 0], sizes = [300, 5], strides = [1, 1] : tensor<300x5xi32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<300x5xi32>>
  return
}

// Some lanes have a line.
func.func @sort_short_lines() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x11xf32>>
  %b1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x11xi32>>
  %keys = iree_tensor_ext.dispatch.tensor.load %b0, offsets = [0, 0], sizes = [9, 11], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x11xf32>> -> tensor<9x11xf32>
  %values = iree_tensor_ext.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [9, 11], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x11xi32>> -> tensor<9x11xi32>
  %new:2 = iree_linalg_ext.sort dimension(1) outs(%keys, %values : tensor<9x11xf32>, tensor<9x11xi32>) {
  ^bb0(%a: f32, %b: f32, %p: i32, %q: i32):
    %less = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %less : i1
  } -> tensor<9x11xf32>, tensor<9x11xi32>
  iree_tensor_ext.dispatch.tensor.store %new#0, %b0, offsets = [0, 0], sizes = [9, 11], strides = [1, 1] : tensor<9x11xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x11xf32>>
  iree_tensor_ext.dispatch.tensor.store %new#1, %b1, offsets = [0, 0], sizes = [9, 11], strides = [1, 1] : tensor<9x11xi32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x11xi32>>
  return
}

// $ raddle run --all %s
// ok       @replace_rows
// ok       @combine_rows
// ok       @combine_short_rows
// ok       @replace_short_rows
// ok       @unique_rows
// ok       @sort_lines
// ok       @sort_columns
// ok       @sort_short_lines
// 8 functions: 8 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run --all %s --device=ptx-emu
// ok       @replace_rows
// ok       @combine_rows
// ok       @combine_short_rows
// ok       @replace_short_rows
// ok       @unique_rows
// ok       @sort_lines
// ok       @sort_columns
// ok       @sort_short_lines
// 8 functions: 8 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run --all %s --target=gfx942
// ok       @replace_rows
// ok       @combine_rows
// ok       @combine_short_rows
// ok       @replace_short_rows
// ok       @unique_rows
// ok       @sort_lines
// ok       @sort_columns
// ok       @sort_short_lines
// 8 functions: 8 right, 0 refused, 0 wrong, 0 bugs

// $ raddle build %s --function=replace_rows | grep -c bar.sync
// 2
