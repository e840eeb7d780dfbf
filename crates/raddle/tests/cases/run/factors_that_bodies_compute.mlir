// Factors that a body computes are tensors in front of the product, which matrix instructions take then: small floats
// that are scaled by powers of two (microscaling), as `bf16` where that holds them, and weights with a scale for each
// group of them. Products of one row stay sums. A format of a byte with infinities is no other format of a byte.
// RUN: raddle run %s --all --target=sm_80 | grep -v ok
// RUN: raddle run %s --all --target=gfx942 | grep -v ok
// RUN: raddle run %s --all --target=gfx1201 | grep -v ok
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a | grep -v ok
// RUN: raddle opt %s --to=configured --target=sm_80 | grep -c mma_kind
// RUN: raddle opt %s --to=configured --target=gfx942 | grep -c mma_kind
// RUN: raddle opt %s --to=lowered --target=sm_80 | grep -c mma.sync

func.func @mx4(%l: tensor<96x4x32xf4E2M1FN>, %r: tensor<80x4x32xf4E2M1FN>, %ls: tensor<96x4xf8E8M0FNU>, %rs: tensor<80x4xf8E8M0FNU>, %acc: tensor<96x80xf32>) -> tensor<96x80xf32> {
  %result = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"] }
      ins(%l, %r, %ls, %rs : tensor<96x4x32xf4E2M1FN>, tensor<80x4x32xf4E2M1FN>, tensor<96x4xf8E8M0FNU>, tensor<80x4xf8E8M0FNU>)
      outs(%acc : tensor<96x80xf32>) {
  ^bb0(%a: f4E2M1FN, %b: f4E2M1FN, %as: f8E8M0FNU, %bs: f8E8M0FNU, %c: f32):
    %x = arith.scaling_extf %a, %as : f4E2M1FN, f8E8M0FNU to f32
    %y = arith.scaling_extf %b, %bs : f4E2M1FN, f8E8M0FNU to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<96x80xf32>
  return %result : tensor<96x80xf32>
}

func.func @mx4_row(%l: tensor<1x16x32xf4E2M1FN>, %r: tensor<256x16x32xf4E2M1FN>, %ls: tensor<1x16xf8E8M0FNU>, %rs: tensor<256x16xf8E8M0FNU>, %acc: tensor<1x256xf32>) -> tensor<1x256xf32> {
  %result = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"] }
      ins(%l, %r, %ls, %rs : tensor<1x16x32xf4E2M1FN>, tensor<256x16x32xf4E2M1FN>, tensor<1x16xf8E8M0FNU>, tensor<256x16xf8E8M0FNU>)
      outs(%acc : tensor<1x256xf32>) {
  ^bb0(%a: f4E2M1FN, %b: f4E2M1FN, %as: f8E8M0FNU, %bs: f8E8M0FNU, %c: f32):
    %x = arith.scaling_extf %a, %as : f4E2M1FN, f8E8M0FNU to f32
    %y = arith.scaling_extf %b, %bs : f4E2M1FN, f8E8M0FNU to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x256xf32>
  return %result : tensor<1x256xf32>
}

func.func @mx6(%l: tensor<64x2x32xf6E3M2FN>, %r: tensor<48x2x32xf6E3M2FN>, %ls: tensor<64x2xf8E8M0FNU>, %rs: tensor<48x2xf8E8M0FNU>, %acc: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %result = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"] }
      ins(%l, %r, %ls, %rs : tensor<64x2x32xf6E3M2FN>, tensor<48x2x32xf6E3M2FN>, tensor<64x2xf8E8M0FNU>, tensor<48x2xf8E8M0FNU>)
      outs(%acc : tensor<64x48xf32>) {
  ^bb0(%a: f6E3M2FN, %b: f6E3M2FN, %as: f8E8M0FNU, %bs: f8E8M0FNU, %c: f32):
    %x = arith.scaling_extf %a, %as : f6E3M2FN, f8E8M0FNU to f32
    %y = arith.scaling_extf %b, %bs : f6E3M2FN, f8E8M0FNU to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x48xf32>
  return %result : tensor<64x48xf32>
}

func.func @mx8(%l: tensor<64x2x32xf8E4M3FN>, %r: tensor<48x2x32xf8E4M3FN>, %ls: tensor<64x2xf8E8M0FNU>, %rs: tensor<48x2xf8E8M0FNU>, %acc: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %result = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"] }
      ins(%l, %r, %ls, %rs : tensor<64x2x32xf8E4M3FN>, tensor<48x2x32xf8E4M3FN>, tensor<64x2xf8E8M0FNU>, tensor<48x2xf8E8M0FNU>)
      outs(%acc : tensor<64x48xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f8E4M3FN, %as: f8E8M0FNU, %bs: f8E8M0FNU, %c: f32):
    %x = arith.scaling_extf %a, %as : f8E4M3FN, f8E8M0FNU to f32
    %y = arith.scaling_extf %b, %bs : f8E4M3FN, f8E8M0FNU to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x48xf32>
  return %result : tensor<64x48xf32>
}

func.func @open_rows(%l: tensor<?x2x32xf4E2M1FN>, %r: tensor<48x2x32xf4E2M1FN>, %ls: tensor<?x2xf8E8M0FNU>, %rs: tensor<48x2xf8E8M0FNU>, %acc: tensor<?x48xf32>) -> tensor<?x48xf32> {
  %result = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d1, d2)>,
                      affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"] }
      ins(%l, %r, %ls, %rs : tensor<?x2x32xf4E2M1FN>, tensor<48x2x32xf4E2M1FN>, tensor<?x2xf8E8M0FNU>, tensor<48x2xf8E8M0FNU>)
      outs(%acc : tensor<?x48xf32>) {
  ^bb0(%a: f4E2M1FN, %b: f4E2M1FN, %as: f8E8M0FNU, %bs: f8E8M0FNU, %c: f32):
    %x = arith.scaling_extf %a, %as : f4E2M1FN, f8E8M0FNU to f32
    %y = arith.scaling_extf %b, %bs : f4E2M1FN, f8E8M0FNU to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x48xf32>
  return %result : tensor<?x48xf32>
}

func.func @weights_of_groups(%l: tensor<64x4x32xf16>, %r: tensor<96x4x32xi4>, %scales: tensor<96x4xf16>, %acc: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %result = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>,
                       affine_map<(d0, d1, d2, d3) -> (d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%l, %r, %scales : tensor<64x4x32xf16>, tensor<96x4x32xi4>, tensor<96x4xf16>) outs(%acc : tensor<64x96xf32>) {
  ^bb0(%a: f16, %b: i4, %scale: f16, %c: f32):
    %w = arith.sitofp %b : i4 to f16
    %ws = arith.mulf %w, %scale : f16
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %ws : f16 to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x96xf32>
  return %result : tensor<64x96xf32>
}

func.func @bytes_with_infinities(%l: tensor<64x64xf8E5M2>, %r: tensor<64x64xf8E5M2>, %acc: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%l, %r : tensor<64x64xf8E5M2>, tensor<64x64xf8E5M2>) outs(%acc : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// $ raddle run %s --all --target=sm_80 | grep -v ok
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942 | grep -v ok
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx1201 | grep -v ok
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a | grep -v ok
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured --target=sm_80 | grep -c mma_kind
// 5

// $ raddle opt %s --to=configured --target=gfx942 | grep -c mma_kind
// 6

// $ raddle opt %s --to=lowered --target=sm_80 | grep -c mma.sync
// 22
