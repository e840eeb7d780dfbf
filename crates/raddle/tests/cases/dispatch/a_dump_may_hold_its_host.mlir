// The host's side of a dump is read over.
// RUN: raddle build %s | grep .entry
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
util.func public @host(%a: !stream.resource<external>, %b: !stream.resource<external>, %n: index, %i: i32) {
  %c0 = arith.constant 0 : index
  %t = stream.cmd.execute with(%a as %x: !stream.resource<external>{%n}, %b as %y: !stream.resource<external>{%n}) {
    stream.cmd.dispatch @one::@cuda::@one_copy(%i : i32) {
      wo %y[%c0 for %n] : !stream.resource<external>{%n},
      ro %x[%c0 for %n] : !stream.resource<external>{%n}
    }
  } => !stream.timepoint
  util.return
}

// $ raddle build %s | grep .entry
// .visible .entry one_copy(

// $ raddle run %s --all
// ok       @one_copy
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
