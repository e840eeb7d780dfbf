// A slice of a slice begins where both begin together, and ends with the tensor only where the outer one does.
// RUN: raddle run %s --function=static | grep correct
// RUN: raddle run %s --function=twice --compare=tiled,vector,distributed | grep correct
// RUN: raddle run %s --function=open --input=64x64xf32 --input=32x32xf32 --input=index=16 | grep correct
#map = affine_map<(d0, d1) -> (d0, d1)>
#translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>

func.func @static(%a: tensor<64x64xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {translation_info = #translation} {
  %r = scf.forall (%i) = (0) to (32) step (4) shared_outs(%o = %b) -> (tensor<32x32xf32>) {
    %s = tensor.extract_slice %a[8, 16] [32, 32] [1, 1] : tensor<64x64xf32> to tensor<32x32xf32>
    %in = tensor.extract_slice %s[%i, 0] [4, 32] [1, 1] : tensor<32x32xf32> to tensor<4x32xf32>
    %out = tensor.extract_slice %o[%i, 0] [4, 32] [1, 1] : tensor<32x32xf32> to tensor<4x32xf32>
    %n = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<4x32xf32>) outs(%out : tensor<4x32xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 4], workgroup = [4, 32]}>} {
    ^bb0(%x: f32, %y: f32):
      %z = arith.negf %x : f32
      linalg.yield %z : f32
    } -> tensor<4x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<32x32xf32>
}

func.func @twice(%a: tensor<64x64xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {translation_info = #translation} {
  %r = scf.forall (%i) = (0) to (32) step (4) shared_outs(%o = %b) -> (tensor<32x32xf32>) {
    %t = tensor.extract_slice %a[8, 0] [40, 64] [1, 1] : tensor<64x64xf32> to tensor<40x64xf32>
    %s = tensor.extract_slice %t[8, 16] [32, 32] [1, 1] : tensor<40x64xf32> to tensor<32x32xf32>
    %in = tensor.extract_slice %s[%i, 0] [4, 32] [1, 1] : tensor<32x32xf32> to tensor<4x32xf32>
    %out = tensor.extract_slice %o[%i, 0] [4, 32] [1, 1] : tensor<32x32xf32> to tensor<4x32xf32>
    %n = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<4x32xf32>) outs(%out : tensor<4x32xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 4], workgroup = [4, 32]}>} {
    ^bb0(%x: f32, %y: f32):
      %z = arith.negf %x : f32
      linalg.yield %z : f32
    } -> tensor<4x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<32x32xf32>
}

func.func @open(%a: tensor<64x64xf32>, %b: tensor<32x32xf32>, %k: index) -> tensor<32x32xf32> attributes {translation_info = #translation} {
  %r = scf.forall (%i) = (0) to (32) step (4) shared_outs(%o = %b) -> (tensor<32x32xf32>) {
    %s = tensor.extract_slice %a[8, %k] [32, 32] [1, 1] : tensor<64x64xf32> to tensor<32x32xf32>
    %in = tensor.extract_slice %s[%i, 0] [4, 32] [1, 1] : tensor<32x32xf32> to tensor<4x32xf32>
    %out = tensor.extract_slice %o[%i, 0] [4, 32] [1, 1] : tensor<32x32xf32> to tensor<4x32xf32>
    %n = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<4x32xf32>) outs(%out : tensor<4x32xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 4], workgroup = [4, 32]}>} {
    ^bb0(%x: f32, %y: f32):
      %z = arith.negf %x : f32
      linalg.yield %z : f32
    } -> tensor<4x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<32x32xf32>
}

// $ raddle run %s --function=static | grep correct
// correct: all 1024 elements equal the reference bit for bit

// $ raddle run %s --function=twice --compare=tiled,vector,distributed | grep correct
// correct: stage `tiled`, all 1024 elements equal the reference bit for bit
// correct: stage `vector`, all 1024 elements equal the reference bit for bit
// correct: stage `vector`, all 1024 elements equal stage `tiled` bit for bit
// correct: stage `distributed`, all 1024 elements equal the reference bit for bit
// correct: stage `distributed`, all 1024 elements equal stage `tiled` bit for bit

// $ raddle run %s --function=open --input=64x64xf32 --input=32x32xf32 --input=index=16 | grep correct
// correct: all 1024 elements equal the reference bit for bit
