// Flags of other tools, passes that there are not, and targets that are no chips.
// RUN: raddle opt %s --one-shot-bufferize=bufferize-function-boundaries
// RUN: raddle opt %s -one-shot-bufferize
// RUN: raddle opt %s -convert-vector-to-llvm
// RUN: raddle opt %s --linalg-fuse-elementwise-ops
// RUN: raddle opt %s -canonicalise
// RUN: raddle opt %s --iree-codegen-no-such-pass
// RUN: raddle build %s -O3
// RUN: raddle build %s --target=cuda
// RUN: raddle build %s -o %s
// RUN: raddle run %s --list_devices
// RUN: raddle run %s --json --unknown
// RUN: raddle run %s --json --seed=x
// RUN: raddle build %s --diagnostics=json --target=x86_64
// RUN: raddle build %s --diagnostics=json -o /dev/null
// RUN: raddle %s
// RUN: raddle compile %s
// RUN: raddle fly %s
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @only_moves(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// $ raddle opt %s --one-shot-bufferize=bufferize-function-boundaries
// error[E0903]: there is no pass `one-shot-bufferize`
//  |
//  = help: `raddle opt --list-passes` lists the passes
// [exit status 2]

// $ raddle opt %s -one-shot-bufferize
// error[E0903]: there is no pass `one-shot-bufferize`
//  |
//  = help: `raddle opt --list-passes` lists the passes
// [exit status 2]

// $ raddle opt %s -convert-vector-to-llvm
// error[E0903]: there is no pass `convert-vector-to-llvm`
//  |
//  = help: `raddle opt --list-passes` lists the passes
// [exit status 2]

// $ raddle opt %s --linalg-fuse-elementwise-ops
// error[E0903]: there is no pass `linalg-fuse-elementwise-ops`
//  |
//  = help: similar names are `iree-codegen-gpu-decompose-horizontally-fused-gemms` and `linalg-generalize-named-ops`
// [exit status 2]

// $ raddle opt %s -canonicalise
// error: unexpected argument '--canonicalise' found
//
//   tip: a similar argument exists: '--canonicalize'
//
// Usage: raddle opt --canonicalize[=<OPTIONS>] <FILE>
//
// For more information, try '--help'.
// [exit status 2]

// $ raddle opt %s --iree-codegen-no-such-pass
// error[E0903]: there is no pass `iree-codegen-no-such-pass`
//  |
//  = help: `raddle opt --list-passes` lists the passes
// [exit status 2]

// $ raddle build %s -O3
// error[E0901]: this command has no flag `-O`
//  |
//  = help: there are no levels of optimization: all passes are always run
// [exit status 2]

// $ raddle build %s --target=cuda
// error[E0903]: there is no target `cuda`
//  |
//  = help: a chip is meant, such as `sm_90`, `gfx942` or `x86-64-v3`, or `host`; `raddle targets` lists them
// [exit status 2]

// $ raddle build %s -o %s
// error[E0901]: `--output=commands/commands_that_are_not_understood.mlir` would replace the program by its code
//  |
//  = help: name another file
// [exit status 2]

// $ raddle run %s --list_devices
// error[E0901]: this command has no flag `--list_devices`
//  |
//  = help: `raddle devices` lists what programs can be run on, `raddle targets` the chips
// [exit status 2]

// $ raddle run %s --json --unknown
// {"diagnostics":[{"code":"E0901","file":null,"help":"`--help` says what the command takes","label":null,"message":"unexpected argument '--unknown' found","notes":[],"related":[],"severity":"error","span":null}],"ok":false}
// [exit status 2]

// $ raddle run %s --json --seed=x
// {"diagnostics":[{"code":"E0901","file":null,"help":"`--help` says what the command takes","label":null,"message":"invalid value 'x' for '--seed <SEED>': invalid digit found in string","notes":[],"related":[],"severity":"error","span":null}],"ok":false}
// [exit status 2]

// $ raddle build %s --diagnostics=json --target=x86_64
// {"code":"E0903","file":"commands/commands_that_are_not_understood.mlir","help":"a chip is meant, such as `sm_90`, `gfx942` or `x86-64-v3`, or `host`; `raddle targets` lists them","label":null,"message":"there is no target `x86_64`","notes":[],"related":[],"severity":"error","span":null}
// [exit status 2]

// $ raddle build %s --diagnostics=json -o /dev/null
// {"code":"E0703","file":"commands/commands_that_are_not_understood.mlir","help":"`raddle run` carries it out","label":null,"message":"`@only_moves` has nothing for a kernel","notes":["it moves tensors about, or computes with numbers: that is done by whoever calls kernels","`@only_moves` is refused"],"related":[],"severity":"error","span":null}
// [exit status 1]

// $ raddle %s
// error[E0901]: there is no command `commands/commands_that_are_not_understood.mlir`
//  |
//  = help: say what to do with it: `raddle run commands/commands_that_are_not_understood.mlir` executes it, `raddle build commands/commands_that_are_not_understood.mlir` compiles it
// [exit status 2]

// $ raddle compile %s
// error[E0901]: there is no command `compile`
//  |
//  = help: `raddle build` compiles
// [exit status 2]

// $ raddle fly %s
// error: unrecognized subcommand 'fly'
//
// Usage: raddle <COMMAND>
//
// For more information, try '--help'.
// [exit status 2]
