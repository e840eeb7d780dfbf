// What `iree-compile --compile-to=input` writes for programs of PyTorch: handles of buffers and fences at the boundary, and
// constants among the resources of the file.
// RUN: raddle run %s --function=main --input=2x4xf32=[[1,2,3,4],[5,6,7,8]] --input=2x4xf32=1 --expected_output=2x4xf32=[[2,4,6,8],[10,12,14,16]] --expected_output=2x4xf32=[[2,1,1,1],[1,1,1,2]] | grep correct
// RUN: raddle run --all %s --device=ptx-emu | grep right

util.global private @weights = dense_resource<weights> : tensor<2x4xf32>

util.func public @main$async(%a: !hal.buffer_view, %out: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view attributes {iree.abi.model = "coarse-fences", iree.abi.stub} {
  %rows = hal.buffer_view.dim<%a : !hal.buffer_view>[0] : index
  %0 = hal.tensor.import wait(%wait) => %a : !hal.buffer_view -> tensor<?x4xf32>{%rows}
  %old = hal.tensor.import wait(%wait) => %out : !hal.buffer_view -> tensor<2x4xf32>
  %w = util.global.load @weights : tensor<2x4xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %f = tensor.empty(%rows) : tensor<?x4xf32>
  %1 = linalg.add ins(%0, %0 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = linalg.add ins(%w, %old : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = hal.tensor.alias wait(%wait) => %2 : tensor<2x4xf32> to %out : !hal.buffer_view
  %4:2 = hal.tensor.barrier join(%1, %3 : tensor<?x4xf32>, tensor<2x4xf32>) => %signal : !hal.fence
  %5 = hal.tensor.export %4#0 : tensor<?x4xf32>{%rows} -> !hal.buffer_view
  util.return %5 : !hal.buffer_view
}
util.func public @main(%a: !hal.buffer_view, %out: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %0 = util.null : !hal.fence
  %forever = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  %device = hal.devices.get %c0 : !hal.device
  %fence = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
  %1 = util.call @main$async(%a, %out, %0, %fence) : (!hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
  %status = hal.fence.await until([%fence]) timeout_millis(%forever) flags("None") : i32
  util.return %1 : !hal.buffer_view
}

// What `--compile-to=abi` makes of a function on tensors.
util.func public @outer(%a: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %0 = hal.tensor.import %a "input0" : !hal.buffer_view -> tensor<3xi1>
  %1 = util.call @inner(%0) : (tensor<3xi1>) -> tensor<3xi1>
  %2 = hal.tensor.export %1 "output0" : tensor<3xi1> -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}
util.func private @inner(%a: tensor<3xi1>) -> tensor<3xi1> {
  %mask = arith.constant dense_resource<mask> : tensor<3xi1>
  %0 = arith.xori %a, %mask : tensor<3xi1>
  util.return %0 : tensor<3xi1>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F0000000000000000000000000000000000000000000000000000803F",
      mask: "0x01000000010001"
    }
  }
#-}

// $ raddle run %s --function=main --input=2x4xf32=[[1,2,3,4],[5,6,7,8]] --input=2x4xf32=1 --expected_output=2x4xf32=[[2,4,6,8],[10,12,14,16]] --expected_output=2x4xf32=[[2,1,1,1],[1,1,1,2]] | grep correct
// correct: result 0, all 8 elements equal the expected output bit for bit
// correct: result 1, all 8 elements equal the expected output bit for bit

// $ raddle run --all %s --device=ptx-emu | grep right
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
