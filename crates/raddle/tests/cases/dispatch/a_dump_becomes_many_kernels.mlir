// Of a dump, each dispatch is a kernel; what is refused is said and does not keep the others.
// RUN: raddle build %s | grep -e .entry -e .version -e refused
// RUN: raddle run %s --all
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
        %to = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c64) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        %from = hal.interface.binding.subspan layout(#layout) binding(1) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %t = iree_tensor_ext.dispatch.tensor.load %from, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %e = tensor.empty() : tensor<128xf32>
        %r = linalg.abs ins(%t : tensor<128xf32>) outs(%e : tensor<128xf32>) -> tensor<128xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %to, offsets = [0], sizes = [128], strides = [1] : tensor<128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        return
      }
    }
  }
}
hal.executable private @two {
  hal.executable.variant public @cuda target(<"cuda", "cuda-nvptx-fb">) {
    hal.executable.export public @two_copy ordinal(0) layout(#layout) count(%d: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @two_copy() {
        %c64 = arith.constant 64 : index
        %to = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c64) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        %from = hal.interface.binding.subspan layout(#layout) binding(1) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %t = iree_tensor_ext.dispatch.tensor.load %from, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %e = tensor.empty() : tensor<128xf32>
        %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<128xf32>) outs(%e : tensor<128xf32>) {
        ^bb0(%x: f32, %o: f32):
          %w = arith.extf %x : f32 to f128
          %u = arith.mulf %w, %w : f128
          %v = arith.truncf %u : f128 to f32
          linalg.yield %v : f32
        } -> tensor<128xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %to, offsets = [0], sizes = [128], strides = [1] : tensor<128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        return
      }
    }
  }
}
hal.executable private @three {
  hal.executable.variant public @cuda target(<"cuda", "cuda-nvptx-fb">) {
    hal.executable.export public @three_copy ordinal(0) layout(#layout) count(%d: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @three_copy() {
        %c64 = arith.constant 64 : index
        %to = hal.interface.binding.subspan layout(#layout) binding(0) offset(%c64) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        %from = hal.interface.binding.subspan layout(#layout) binding(1) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>>
        %t = iree_tensor_ext.dispatch.tensor.load %from, offsets = [0], sizes = [128], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xf32>> -> tensor<128xf32>
        %e = tensor.empty() : tensor<128xf32>
        %r = linalg.abs ins(%t : tensor<128xf32>) outs(%e : tensor<128xf32>) -> tensor<128xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %to, offsets = [0], sizes = [128], strides = [1] : tensor<128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128xf32>>
        return
      }
    }
  }
}

// $ raddle build %s | grep -e .entry -e .version -e refused
// .version 8.0
// .visible .entry one_copy(
// .visible .entry three_copy(
// dispatch/a_dump_becomes_many_kernels.mlir:40: refused @two_copy: error[E0701]: cannot write `arith.extf` for sm_80
// 2 of 3 functions compiled, 1 refused
// [exit status 1]

// $ raddle run %s --all
// ok       @one_copy
// refused  @two_copy: line 40, error[E0801]: the emulator does not have `f128` numbers
// ok       @three_copy
// 3 functions: 2 right, 1 refused, 0 wrong, 0 bugs
// [exit status 1]
