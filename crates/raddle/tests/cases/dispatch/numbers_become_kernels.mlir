// A dispatch that only puts numbers into a tensor, or gives it another shape, is a kernel: whoever holds the program
// launches it. As a function of its own the same is a matter of the host.

// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle build %s --function=number | grep .entry
// RUN: raddle build %s --function=elements | grep .entry
// RUN: raddle build %s --function=shape | grep .entry
// RUN: raddle build %s --function=plain

#layout = #hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

func.func @number() {
  %c0 = arith.constant 0 : index
  %n = hal.interface.constant.load layout(#layout) ordinal(0) : i32
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>> -> tensor<4xi32>
  %y = tensor.insert %n into %x[%c0] : tensor<4xi32>
  iree_tensor_ext.dispatch.tensor.store %y, %out, offsets = [0], sizes = [4], strides = [1] : tensor<4xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>
  return
}

func.func @elements() {
  %c0 = arith.constant 0 : index
  %n = hal.interface.constant.load layout(#layout) ordinal(0) : i32
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2xi32>>
  %m = arith.muli %n, %n : i32
  %x = tensor.from_elements %n, %m : tensor<2xi32>
  iree_tensor_ext.dispatch.tensor.store %x, %out, offsets = [0], sizes = [2], strides = [1] : tensor<2xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2xi32>>
  return
}

func.func @shape() {
  %c0 = arith.constant 0 : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x4xf32>>
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<24xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [6, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x4xf32>> -> tensor<6x4xf32>
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  iree_tensor_ext.dispatch.tensor.store %y, %out, offsets = [0], sizes = [24], strides = [1] : tensor<24xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<24xf32>>
  return
}

func.func @plain(%n: i32, %m: i32) -> tensor<2xi32> {
  %x = tensor.from_elements %n, %m : tensor<2xi32>
  return %x : tensor<2xi32>
}

// $ raddle run %s --all
// ok       @number
// ok       @elements
// ok       @shape
// ok       @plain
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @number
// ok       @elements
// ok       @shape
// ok       @plain
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle build %s --function=number | grep .entry
// .visible .entry number(

// $ raddle build %s --function=elements | grep .entry
// .visible .entry elements(

// $ raddle build %s --function=shape | grep .entry
// .visible .entry shape(

// $ raddle build %s --function=plain
// error[E0703]: `@plain` has nothing for a kernel
//  |
//  = note: it moves tensors about, or computes with numbers: that is done by whoever calls kernels
//  = help: `raddle run` carries it out
// [exit status 1]
