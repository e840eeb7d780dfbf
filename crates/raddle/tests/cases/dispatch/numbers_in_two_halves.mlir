// A number that may need 64 bits is two constants of an interface. What is chosen for them where a dispatch runs on random
// data: extents that are small, slices that begin at 0, and places that follow from integers through floats.

// RUN: raddle run %s --all --seed=1
// RUN: raddle run %s --all --device=ptx-emu

#layout = #hal.pipeline.layout<constants = 4, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

// Only the result says how many elements there are.
func.func @filled() {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : i64
  %five = arith.constant 5.0 : f32
  %0 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
  %1 = hal.interface.constant.load layout(#layout) ordinal(1) : i32
  %low = arith.extui %0 : i32 to i64
  %high = arith.extui %1 : i32 to i64
  %up = arith.shli %high, %c32 : i64
  %both = arith.ori %low, %up : i64
  %n = arith.index_castui %both : i64 to index
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
  %empty = tensor.empty(%n) : tensor<?xf32>
  %fill = linalg.fill ins(%five : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  iree_tensor_ext.dispatch.tensor.store %fill, %out, offsets = [0], sizes = [%n], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
  return
}

func.func @column() {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : i64
  %0 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
  %1 = hal.interface.constant.load layout(#layout) ordinal(1) : i32
  %2 = hal.interface.constant.load layout(#layout) ordinal(2) : i32
  %3 = hal.interface.constant.load layout(#layout) ordinal(3) : i32
  %4 = arith.extui %0 : i32 to i64
  %5 = arith.extui %1 : i32 to i64
  %6 = arith.shli %5, %c32 : i64
  %7 = arith.ori %4, %6 : i64
  %first = arith.index_castui %7 : i64 to index
  %8 = arith.extui %2 : i32 to i64
  %9 = arith.extui %3 : i32 to i64
  %10 = arith.shli %9, %c32 : i64
  %11 = arith.ori %8, %10 : i64
  %n = arith.index_castui %11 : i64 to index
  %at = util.assume.int %first<umin = 0, umax = 9007199254740991> : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<20x?xf32>>{%n}
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<20xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, %at], sizes = [20, 1], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<20x?xf32>>{%n} -> tensor<20xf32>
  %empty = tensor.empty() : tensor<20xf32>
  %exp = linalg.exp ins(%x : tensor<20xf32>) outs(%empty : tensor<20xf32>) -> tensor<20xf32>
  iree_tensor_ext.dispatch.tensor.store %exp, %out, offsets = [0], sizes = [20], strides = [1] : tensor<20xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<20xf32>>
  return
}

// Two numbers of which the same is assumed are equal, and a slice is as long as what it is added to.
func.func @parts() {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : i64
  %0 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
  %1 = hal.interface.constant.load layout(#layout) ordinal(1) : i32
  %2 = hal.interface.constant.load layout(#layout) ordinal(2) : i32
  %3 = hal.interface.constant.load layout(#layout) ordinal(3) : i32
  %4 = arith.extui %0 : i32 to i64
  %5 = arith.extui %1 : i32 to i64
  %6 = arith.shli %5, %c32 : i64
  %7 = arith.ori %4, %6 : i64
  %8 = arith.index_castui %7 : i64 to index
  %9 = arith.extui %2 : i32 to i64
  %10 = arith.extui %3 : i32 to i64
  %11 = arith.shli %10, %c32 : i64
  %12 = arith.ori %9, %11 : i64
  %13 = arith.index_castui %12 : i64 to index
  %14:2 = util.assume.int %8<umin = 0, umax = 576460752303423424, udiv = 64>, %13<umin = 0, umax = 576460752303423424, udiv = 64> : index, index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x40xf32>>{%14#1}
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x39xf32>>{%14#1}
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [%14#0, 39], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x40xf32>>{%14#1} -> tensor<?x39xf32>
  %y = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 1], sizes = [%14#1, 39], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x40xf32>>{%14#1} -> tensor<?x39xf32>
  %empty = tensor.empty(%14#1) : tensor<?x39xf32>
  %sum = linalg.add ins(%x, %y : tensor<?x39xf32>, tensor<?x39xf32>) outs(%empty : tensor<?x39xf32>) -> tensor<?x39xf32>
  iree_tensor_ext.dispatch.tensor.store %sum, %out, offsets = [0, 0], sizes = [%14#1, 39], strides = [1, 1] : tensor<?x39xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x39xf32>>{%14#1}
  return
}

func.func @parents(%token: tensor<6x4xi64>, %done: tensor<6x3xf32>) -> tensor<6x4xf32> {
  %fifty = arith.constant 50.0 : f32
  %empty = tensor.empty() : tensor<6x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%token : tensor<6x4xi64>) outs(%empty : tensor<6x4xf32>) {
  ^bb0(%a: i64, %o: f32):
    %f = arith.sitofp %a : i64 to f32
    %d = arith.divf %f, %fifty : f32
    %g = math.floor %d : f32
    %p = arith.fptosi %g : f32 to i64
    %i = linalg.index 0 : index
    %j = arith.index_cast %p : i64 to index
    %e = tensor.extract %done[%i, %j] : tensor<6x3xf32>
    linalg.yield %e : f32
  } -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// $ raddle run %s --all --seed=1
// ok       @filled
// ok       @column
// ok       @parts
// ok       @parents
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @filled
// ok       @column
// ok       @parts
// ok       @parents
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
