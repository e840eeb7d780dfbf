// A transformer layer in f16: root mean square norm, attention with 4 heads, residuals, gated feed-forward.
func.func @layer(%x: tensor<64x128xf16>, %g1: tensor<128xf16>, %wq: tensor<128x128xf16>, %wk: tensor<128x128xf16>, %wv: tensor<128x128xf16>, %wo: tensor<128x128xf16>, %g2: tensor<128xf16>, %w1: tensor<128x256xf16>, %w2: tensor<128x256xf16>, %w3: tensor<256x128xf16>) -> tensor<64x128xf16> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<64xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<64xf32>) -> tensor<64xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf16>) outs(%v3 : tensor<64xf32>) {
  ^bb0(%a0: f16, %o: f32):
    %a0w = arith.extf %a0 : f16 to f32
    %m = arith.mulf %a0w, %a0w : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %v6 = tensor.empty() : tensor<64x128xf16>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %v4, %g1 : tensor<64x128xf16>, tensor<64xf32>, tensor<128xf16>) outs(%v6 : tensor<64x128xf16>) {
  ^bb0(%a0: f16, %a1: f32, %a2: f16, %o: f16):
    %a0w = arith.extf %a0 : f16 to f32
    %a2w = arith.extf %a2 : f16 to f32
    %n = arith.constant 128.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %mean = arith.divf %a1, %n : f32
    %q = arith.addf %mean, %eps : f32
    %r = math.rsqrt %q : f32
    %p = arith.mulf %a0w, %r : f32
    %y = arith.mulf %p, %a2w : f32
    %z = arith.truncf %y : f32 to f16
    linalg.yield %z : f16
  } -> tensor<64x128xf16>
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<64x128xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v10 = linalg.matmul ins(%v5, %wq : tensor<64x128xf16>, tensor<128x128xf16>) outs(%v9 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v12 = tensor.empty() : tensor<64x128xf16>
  %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v10 : tensor<64x128xf32>) outs(%v12 : tensor<64x128xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %t = arith.truncf %a0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  %v13 = arith.constant 0.0 : f32
  %v14 = tensor.empty() : tensor<64x128xf32>
  %v15 = linalg.fill ins(%v13 : f32) outs(%v14 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v16 = linalg.matmul ins(%v5, %wk : tensor<64x128xf16>, tensor<128x128xf16>) outs(%v15 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v18 = tensor.empty() : tensor<64x128xf16>
  %v17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v16 : tensor<64x128xf32>) outs(%v18 : tensor<64x128xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %t = arith.truncf %a0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  %v19 = arith.constant 0.0 : f32
  %v20 = tensor.empty() : tensor<64x128xf32>
  %v21 = linalg.fill ins(%v19 : f32) outs(%v20 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v22 = linalg.matmul ins(%v5, %wv : tensor<64x128xf16>, tensor<128x128xf16>) outs(%v21 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v24 = tensor.empty() : tensor<64x128xf16>
  %v23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v22 : tensor<64x128xf32>) outs(%v24 : tensor<64x128xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %t = arith.truncf %a0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  %v25 = tensor.expand_shape %v11 [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf16> into tensor<64x4x32xf16>
  %v27 = tensor.empty() : tensor<4x64x32xf16>
  %v26 = linalg.transpose ins(%v25 : tensor<64x4x32xf16>) outs(%v27 : tensor<4x64x32xf16>) permutation = [1, 0, 2]
  %v28 = tensor.expand_shape %v17 [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf16> into tensor<64x4x32xf16>
  %v30 = tensor.empty() : tensor<4x64x32xf16>
  %v29 = linalg.transpose ins(%v28 : tensor<64x4x32xf16>) outs(%v30 : tensor<4x64x32xf16>) permutation = [1, 0, 2]
  %v31 = tensor.expand_shape %v23 [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf16> into tensor<64x4x32xf16>
  %v33 = tensor.empty() : tensor<4x64x32xf16>
  %v32 = linalg.transpose ins(%v31 : tensor<64x4x32xf16>) outs(%v33 : tensor<4x64x32xf16>) permutation = [1, 0, 2]
  %v34 = arith.constant 0.0 : f32
  %v35 = tensor.empty() : tensor<4x64x64xf32>
  %v36 = linalg.fill ins(%v34 : f32) outs(%v35 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %v37 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%v26, %v29 : tensor<4x64x32xf16>, tensor<4x64x32xf16>) outs(%v36 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %v39 = tensor.empty() : tensor<4x64x64xf32>
  %v41 = tensor.empty() : tensor<4x64x64xf32>
  %v40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v37 : tensor<4x64x64xf32>) outs(%v41 : tensor<4x64x64xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %f = arith.constant 0.17677669 : f32
    %s = arith.mulf %a0, %f : f32
    linalg.yield %s : f32
  } -> tensor<4x64x64xf32>
  %v38 = linalg.softmax dimension(2) ins(%v40 : tensor<4x64x64xf32>) outs(%v39 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %v43 = tensor.empty() : tensor<4x64x64xf16>
  %v42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v38 : tensor<4x64x64xf32>) outs(%v43 : tensor<4x64x64xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %t = arith.truncf %a0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4x64x64xf16>
  %v44 = arith.constant 0.0 : f32
  %v45 = tensor.empty() : tensor<4x64x32xf32>
  %v46 = linalg.fill ins(%v44 : f32) outs(%v45 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %v47 = linalg.batch_matmul ins(%v42, %v32 : tensor<4x64x64xf16>, tensor<4x64x32xf16>) outs(%v46 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %v49 = tensor.empty() : tensor<4x64x32xf16>
  %v48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v47 : tensor<4x64x32xf32>) outs(%v49 : tensor<4x64x32xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %t = arith.truncf %a0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4x64x32xf16>
  %v50 = tensor.empty() : tensor<64x4x32xf16>
  %v51 = linalg.transpose ins(%v48 : tensor<4x64x32xf16>) outs(%v50 : tensor<64x4x32xf16>) permutation = [1, 0, 2]
  %v52 = tensor.collapse_shape %v51 [[0], [1, 2]] : tensor<64x4x32xf16> into tensor<64x128xf16>
  %v53 = arith.constant 0.0 : f32
  %v54 = tensor.empty() : tensor<64x128xf32>
  %v55 = linalg.fill ins(%v53 : f32) outs(%v54 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v56 = linalg.matmul ins(%v52, %wo : tensor<64x128xf16>, tensor<128x128xf16>) outs(%v55 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v58 = tensor.empty() : tensor<64x128xf16>
  %v57 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v56 : tensor<64x128xf32>) outs(%v58 : tensor<64x128xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %t = arith.truncf %a0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  %v60 = tensor.empty() : tensor<64x128xf16>
  %v59 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %v57 : tensor<64x128xf16>, tensor<64x128xf16>) outs(%v60 : tensor<64x128xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %s = arith.addf %a0, %a1 : f16
    linalg.yield %s : f16
  } -> tensor<64x128xf16>
  %v61 = arith.constant 0.0 : f32
  %v62 = tensor.empty() : tensor<64xf32>
  %v63 = linalg.fill ins(%v61 : f32) outs(%v62 : tensor<64xf32>) -> tensor<64xf32>
  %v64 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%v59 : tensor<64x128xf16>) outs(%v63 : tensor<64xf32>) {
  ^bb0(%a0: f16, %o: f32):
    %a0w = arith.extf %a0 : f16 to f32
    %m = arith.mulf %a0w, %a0w : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %v66 = tensor.empty() : tensor<64x128xf16>
  %v65 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v59, %v64, %g2 : tensor<64x128xf16>, tensor<64xf32>, tensor<128xf16>) outs(%v66 : tensor<64x128xf16>) {
  ^bb0(%a0: f16, %a1: f32, %a2: f16, %o: f16):
    %a0w = arith.extf %a0 : f16 to f32
    %a2w = arith.extf %a2 : f16 to f32
    %n = arith.constant 128.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %mean = arith.divf %a1, %n : f32
    %q = arith.addf %mean, %eps : f32
    %r = math.rsqrt %q : f32
    %p = arith.mulf %a0w, %r : f32
    %y = arith.mulf %p, %a2w : f32
    %z = arith.truncf %y : f32 to f16
    linalg.yield %z : f16
  } -> tensor<64x128xf16>
  %v67 = arith.constant 0.0 : f32
  %v68 = tensor.empty() : tensor<64x256xf32>
  %v69 = linalg.fill ins(%v67 : f32) outs(%v68 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %v70 = linalg.matmul ins(%v65, %w1 : tensor<64x128xf16>, tensor<128x256xf16>) outs(%v69 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %v72 = tensor.empty() : tensor<64x256xf16>
  %v71 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v70 : tensor<64x256xf32>) outs(%v72 : tensor<64x256xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %t = arith.truncf %a0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x256xf16>
  %v73 = arith.constant 0.0 : f32
  %v74 = tensor.empty() : tensor<64x256xf32>
  %v75 = linalg.fill ins(%v73 : f32) outs(%v74 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %v76 = linalg.matmul ins(%v65, %w2 : tensor<64x128xf16>, tensor<128x256xf16>) outs(%v75 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %v78 = tensor.empty() : tensor<64x256xf16>
  %v77 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v76 : tensor<64x256xf32>) outs(%v78 : tensor<64x256xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %t = arith.truncf %a0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x256xf16>
  %v80 = tensor.empty() : tensor<64x256xf16>
  %v79 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v71, %v77 : tensor<64x256xf16>, tensor<64x256xf16>) outs(%v80 : tensor<64x256xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %a0w = arith.extf %a0 : f16 to f32
    %a1w = arith.extf %a1 : f16 to f32
    %one = arith.constant 1.0 : f32
    %n = arith.negf %a0w : f32
    %ex = math.exp %n : f32
    %d = arith.addf %ex, %one : f32
    %q = arith.divf %a0w, %d : f32
    %y = arith.mulf %q, %a1w : f32
    %z = arith.truncf %y : f32 to f16
    linalg.yield %z : f16
  } -> tensor<64x256xf16>
  %v81 = arith.constant 0.0 : f32
  %v82 = tensor.empty() : tensor<64x128xf32>
  %v83 = linalg.fill ins(%v81 : f32) outs(%v82 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v84 = linalg.matmul ins(%v79, %w3 : tensor<64x256xf16>, tensor<256x128xf16>) outs(%v83 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v86 = tensor.empty() : tensor<64x128xf16>
  %v85 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v84 : tensor<64x128xf32>) outs(%v86 : tensor<64x128xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %t = arith.truncf %a0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  %v88 = tensor.empty() : tensor<64x128xf16>
  %v87 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v59, %v85 : tensor<64x128xf16>, tensor<64x128xf16>) outs(%v88 : tensor<64x128xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %s = arith.addf %a0, %a1 : f16
    linalg.yield %s : f16
  } -> tensor<64x128xf16>
  return %v87 : tensor<64x128xf16>
}
