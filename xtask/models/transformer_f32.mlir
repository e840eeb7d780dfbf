// A transformer layer in f32: root mean square norm, attention with 4 heads, residuals, gated feed-forward.
func.func @layer(%x: tensor<64x128xf32>, %g1: tensor<128xf32>, %wq: tensor<128x128xf32>, %wk: tensor<128x128xf32>, %wv: tensor<128x128xf32>, %wo: tensor<128x128xf32>, %g2: tensor<128xf32>, %w1: tensor<128x256xf32>, %w2: tensor<128x256xf32>, %w3: tensor<256x128xf32>) -> tensor<64x128xf32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<64xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<64xf32>) -> tensor<64xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%v3 : tensor<64xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %m = arith.mulf %a0, %a0 : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %v6 = tensor.empty() : tensor<64x128xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %v4, %g1 : tensor<64x128xf32>, tensor<64xf32>, tensor<128xf32>) outs(%v6 : tensor<64x128xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %o: f32):
    %n = arith.constant 128.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %mean = arith.divf %a1, %n : f32
    %q = arith.addf %mean, %eps : f32
    %r = math.rsqrt %q : f32
    %p = arith.mulf %a0, %r : f32
    %y = arith.mulf %p, %a2 : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<64x128xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v10 = linalg.matmul ins(%v5, %wq : tensor<64x128xf32>, tensor<128x128xf32>) outs(%v9 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v11 = arith.constant 0.0 : f32
  %v12 = tensor.empty() : tensor<64x128xf32>
  %v13 = linalg.fill ins(%v11 : f32) outs(%v12 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v14 = linalg.matmul ins(%v5, %wk : tensor<64x128xf32>, tensor<128x128xf32>) outs(%v13 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v15 = arith.constant 0.0 : f32
  %v16 = tensor.empty() : tensor<64x128xf32>
  %v17 = linalg.fill ins(%v15 : f32) outs(%v16 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v18 = linalg.matmul ins(%v5, %wv : tensor<64x128xf32>, tensor<128x128xf32>) outs(%v17 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v19 = tensor.expand_shape %v10 [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf32> into tensor<64x4x32xf32>
  %v21 = tensor.empty() : tensor<4x64x32xf32>
  %v20 = linalg.transpose ins(%v19 : tensor<64x4x32xf32>) outs(%v21 : tensor<4x64x32xf32>) permutation = [1, 0, 2]
  %v22 = tensor.expand_shape %v14 [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf32> into tensor<64x4x32xf32>
  %v24 = tensor.empty() : tensor<4x64x32xf32>
  %v23 = linalg.transpose ins(%v22 : tensor<64x4x32xf32>) outs(%v24 : tensor<4x64x32xf32>) permutation = [1, 0, 2]
  %v25 = tensor.expand_shape %v18 [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf32> into tensor<64x4x32xf32>
  %v27 = tensor.empty() : tensor<4x64x32xf32>
  %v26 = linalg.transpose ins(%v25 : tensor<64x4x32xf32>) outs(%v27 : tensor<4x64x32xf32>) permutation = [1, 0, 2]
  %v28 = arith.constant 0.0 : f32
  %v29 = tensor.empty() : tensor<4x64x64xf32>
  %v30 = linalg.fill ins(%v28 : f32) outs(%v29 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %v31 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%v20, %v23 : tensor<4x64x32xf32>, tensor<4x64x32xf32>) outs(%v30 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %v33 = tensor.empty() : tensor<4x64x64xf32>
  %v35 = tensor.empty() : tensor<4x64x64xf32>
  %v34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v31 : tensor<4x64x64xf32>) outs(%v35 : tensor<4x64x64xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %f = arith.constant 0.17677669 : f32
    %s = arith.mulf %a0, %f : f32
    linalg.yield %s : f32
  } -> tensor<4x64x64xf32>
  %v32 = linalg.softmax dimension(2) ins(%v34 : tensor<4x64x64xf32>) outs(%v33 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %v36 = arith.constant 0.0 : f32
  %v37 = tensor.empty() : tensor<4x64x32xf32>
  %v38 = linalg.fill ins(%v36 : f32) outs(%v37 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %v39 = linalg.batch_matmul ins(%v32, %v26 : tensor<4x64x64xf32>, tensor<4x64x32xf32>) outs(%v38 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %v40 = tensor.empty() : tensor<64x4x32xf32>
  %v41 = linalg.transpose ins(%v39 : tensor<4x64x32xf32>) outs(%v40 : tensor<64x4x32xf32>) permutation = [1, 0, 2]
  %v42 = tensor.collapse_shape %v41 [[0], [1, 2]] : tensor<64x4x32xf32> into tensor<64x128xf32>
  %v43 = arith.constant 0.0 : f32
  %v44 = tensor.empty() : tensor<64x128xf32>
  %v45 = linalg.fill ins(%v43 : f32) outs(%v44 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v46 = linalg.matmul ins(%v42, %wo : tensor<64x128xf32>, tensor<128x128xf32>) outs(%v45 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v48 = tensor.empty() : tensor<64x128xf32>
  %v47 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %v46 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%v48 : tensor<64x128xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %s = arith.addf %a0, %a1 : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  %v49 = arith.constant 0.0 : f32
  %v50 = tensor.empty() : tensor<64xf32>
  %v51 = linalg.fill ins(%v49 : f32) outs(%v50 : tensor<64xf32>) -> tensor<64xf32>
  %v52 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%v47 : tensor<64x128xf32>) outs(%v51 : tensor<64xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %m = arith.mulf %a0, %a0 : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %v54 = tensor.empty() : tensor<64x128xf32>
  %v53 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v47, %v52, %g2 : tensor<64x128xf32>, tensor<64xf32>, tensor<128xf32>) outs(%v54 : tensor<64x128xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %o: f32):
    %n = arith.constant 128.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %mean = arith.divf %a1, %n : f32
    %q = arith.addf %mean, %eps : f32
    %r = math.rsqrt %q : f32
    %p = arith.mulf %a0, %r : f32
    %y = arith.mulf %p, %a2 : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %v55 = arith.constant 0.0 : f32
  %v56 = tensor.empty() : tensor<64x256xf32>
  %v57 = linalg.fill ins(%v55 : f32) outs(%v56 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %v58 = linalg.matmul ins(%v53, %w1 : tensor<64x128xf32>, tensor<128x256xf32>) outs(%v57 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %v59 = arith.constant 0.0 : f32
  %v60 = tensor.empty() : tensor<64x256xf32>
  %v61 = linalg.fill ins(%v59 : f32) outs(%v60 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %v62 = linalg.matmul ins(%v53, %w2 : tensor<64x128xf32>, tensor<128x256xf32>) outs(%v61 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %v64 = tensor.empty() : tensor<64x256xf32>
  %v63 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v58, %v62 : tensor<64x256xf32>, tensor<64x256xf32>) outs(%v64 : tensor<64x256xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %n = arith.negf %a0 : f32
    %ex = math.exp %n : f32
    %d = arith.addf %ex, %one : f32
    %q = arith.divf %a0, %d : f32
    %y = arith.mulf %q, %a1 : f32
    linalg.yield %y : f32
  } -> tensor<64x256xf32>
  %v65 = arith.constant 0.0 : f32
  %v66 = tensor.empty() : tensor<64x128xf32>
  %v67 = linalg.fill ins(%v65 : f32) outs(%v66 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v68 = linalg.matmul ins(%v63, %w3 : tensor<64x256xf32>, tensor<256x128xf32>) outs(%v67 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v70 = tensor.empty() : tensor<64x128xf32>
  %v69 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v47, %v68 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%v70 : tensor<64x128xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %s = arith.addf %a0, %a1 : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  return %v69 : tensor<64x128xf32>
}
