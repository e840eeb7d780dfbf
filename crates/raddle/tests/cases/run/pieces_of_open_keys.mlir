// An attention of few rows, as a step of decoding has it, is divided along its keys, whatever their number: the last piece
// has fewer, and of open keys a piece has 256. Keys and values are read where they are, ahead of the products.

// RUN: raddle run %s --function=odd --input=4x1x64xf16=random --input=4x1111x64xf16=random --input=4x1111x64xf16=random | grep correct
// RUN: raddle run %s --function=odd --device=ptx-emu --target=sm_90a --input=4x1x64xf16=random --input=4x1111x64xf16=random --input=4x1111x64xf16=random | grep correct
// RUN: raddle run %s --function=open --input=4x1x64xf16=random --input=4x1111x64xf16=random --input=4x1111x64xf16=random | grep correct
// RUN: raddle run %s --function=open --device=ptx-emu --input=4x1x64xf16=random --input=4x256x64xf16=random --input=4x256x64xf16=random | grep correct
// RUN: raddle run %s --function=open --target=gfx942 --input=4x1x64xf16=random --input=4x257x64xf16=random --input=4x257x64xf16=random | grep correct
// RUN: raddle run %s --function=open --input=4x1x64xf16=random --input=4x0x64xf16=random --input=4x0x64xf16=random | grep correct
// RUN: raddle run %s --function=masked --input=2x4x1x64xf16=random --input=2x600x64xf16=random --input=2x600x64xf16=random --input=2x1x600xf16=random | grep correct
// RUN: raddle run %s --function=masked --device=ptx-emu --input=1x4x1x64xf16=random --input=1x3x64xf16=random --input=1x3x64xf16=random --input=1x1x3xf16=random | grep correct
// RUN: raddle run %s --function=late --input=8x2x64xf16=random --input=8x515x64xf16=random --input=8x515x64xf16=random | grep correct
// RUN: raddle build %s --function=odd -o - | grep cp.async.commit
// RUN: raddle build %s --function=open -o - | grep cp.async.commit

#query = affine_map<(b, m, n, k1, k2) -> (b, m, k1)>
#key = affine_map<(b, m, n, k1, k2) -> (b, k2, k1)>
#value = affine_map<(b, m, n, k1, k2) -> (b, k2, n)>
#scale = affine_map<(b, m, n, k1, k2) -> ()>
#out = affine_map<(b, m, n, k1, k2) -> (b, m, n)>

func.func @odd(%q: tensor<4x1x64xf16>, %k: tensor<4x1111x64xf16>, %v: tensor<4x1111x64xf16>) -> tensor<4x1x64xf16> {
  %scale = arith.constant 0.125 : f16
  %e = tensor.empty() : tensor<4x1x64xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [#query, #key, #value, #scale, #out]} ins(%q, %k, %v, %scale : tensor<4x1x64xf16>, tensor<4x1111x64xf16>, tensor<4x1111x64xf16>, f16) outs(%e : tensor<4x1x64xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<4x1x64xf16>
  return %r : tensor<4x1x64xf16>
}

func.func @open(%q: tensor<4x1x64xf16>, %k: tensor<4x?x64xf16>, %v: tensor<4x?x64xf16>) -> tensor<4x1x64xf16> {
  %scale = arith.constant 0.125 : f16
  %e = tensor.empty() : tensor<4x1x64xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [#query, #key, #value, #scale, #out]} ins(%q, %k, %v, %scale : tensor<4x1x64xf16>, tensor<4x?x64xf16>, tensor<4x?x64xf16>, f16) outs(%e : tensor<4x1x64xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<4x1x64xf16>
  return %r : tensor<4x1x64xf16>
}

// A batch of open size, heads that share keys, and a mask that is a tensor.
func.func @masked(%q: tensor<?x4x1x64xf16>, %k: tensor<?x?x64xf16>, %v: tensor<?x?x64xf16>, %mask: tensor<?x1x?xf16>) -> tensor<?x4x1x64xf16> {
  %scale = arith.constant 0.125 : f16
  %c0 = arith.constant 0 : index
  %b = tensor.dim %q, %c0 : tensor<?x4x1x64xf16>
  %e = tensor.empty(%b) : tensor<?x4x1x64xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [
      affine_map<(b, h, m, n, k1, k2) -> (b, h, m, k1)>, affine_map<(b, h, m, n, k1, k2) -> (b, k2, k1)>,
      affine_map<(b, h, m, n, k1, k2) -> (b, k2, n)>, affine_map<(b, h, m, n, k1, k2) -> ()>,
      affine_map<(b, h, m, n, k1, k2) -> (b, m, k2)>, affine_map<(b, h, m, n, k1, k2) -> (b, h, m, n)>]}
      ins(%q, %k, %v, %scale, %mask : tensor<?x4x1x64xf16>, tensor<?x?x64xf16>, tensor<?x?x64xf16>, f16, tensor<?x1x?xf16>) outs(%e : tensor<?x4x1x64xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<?x4x1x64xf16>
  return %r : tensor<?x4x1x64xf16>
}

// The last rows see all keys but the first ones.
func.func @late(%q: tensor<8x2x64xf16>, %k: tensor<8x?x64xf16>, %v: tensor<8x?x64xf16>) -> tensor<8x2x64xf16> {
  %scale = arith.constant 0.125 : f16
  %e = tensor.empty() : tensor<8x2x64xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [#query, #key, #value, #scale, #out]} ins(%q, %k, %v, %scale : tensor<8x2x64xf16>, tensor<8x?x64xf16>, tensor<8x?x64xf16>, f16) outs(%e : tensor<8x2x64xf16>) {
  ^bb0(%score: f32):
    %row = iree_linalg_ext.index 1 : index
    %at = iree_linalg_ext.index 2 : index
    %c300 = arith.constant 300 : index
    %first = arith.addi %row, %c300 : index
    %sees = arith.cmpi sge, %at, %first : index
    %nothing = arith.constant 0xFF800000 : f32
    %kept = arith.select %sees, %score, %nothing : f32
    iree_linalg_ext.yield %kept : f32
  } -> tensor<8x2x64xf16>
  return %r : tensor<8x2x64xf16>
}

// $ raddle run %s --function=odd --input=4x1x64xf16=random --input=4x1111x64xf16=random --input=4x1111x64xf16=random | grep correct
// correct: all 256 elements agree with the reference within 2.03e-4 + 1.95e-3·|expected| (169 bit for bit)

// $ raddle run %s --function=odd --device=ptx-emu --target=sm_90a --input=4x1x64xf16=random --input=4x1111x64xf16=random --input=4x1111x64xf16=random | grep correct
// correct: all 256 elements agree with the reference within 2.03e-4 + 1.95e-3·|expected| (169 bit for bit)

// $ raddle run %s --function=open --input=4x1x64xf16=random --input=4x1111x64xf16=random --input=4x1111x64xf16=random | grep correct
// correct: all 256 elements agree with the reference within 2.02e-4 + 1.95e-3·|expected| (154 bit for bit)

// $ raddle run %s --function=open --device=ptx-emu --input=4x1x64xf16=random --input=4x256x64xf16=random --input=4x256x64xf16=random | grep correct
// correct: all 256 elements agree with the reference within 4.10e-4 + 1.95e-3·|expected| (163 bit for bit)

// $ raddle run %s --function=open --target=gfx942 --input=4x1x64xf16=random --input=4x257x64xf16=random --input=4x257x64xf16=random | grep correct
// correct: all 256 elements agree with the reference within 4.13e-4 + 1.95e-3·|expected| (164 bit for bit)

// $ raddle run %s --function=open --input=4x1x64xf16=random --input=4x0x64xf16=random --input=4x0x64xf16=random | grep correct
// correct: all 256 elements agree with the reference within 0.00e0 + 1.95e-3·|expected| (0 bit for bit)

// $ raddle run %s --function=masked --input=2x4x1x64xf16=random --input=2x600x64xf16=random --input=2x600x64xf16=random --input=2x1x600xf16=random | grep correct
// correct: all 512 elements agree with the reference within 3.58e-4 + 1.95e-3·|expected| (321 bit for bit)

// $ raddle run %s --function=masked --device=ptx-emu --input=1x4x1x64xf16=random --input=1x3x64xf16=random --input=1x3x64xf16=random --input=1x1x3xf16=random | grep correct
// correct: all 256 elements agree with the reference within 2.85e-3 + 1.95e-3·|expected| (210 bit for bit)

// $ raddle run %s --function=late --input=8x2x64xf16=random --input=8x515x64xf16=random --input=8x515x64xf16=random | grep correct
// correct: all 1024 elements agree with the reference within 4.27e-4 + 1.95e-3·|expected| (649 bit for bit)

// $ raddle build %s --function=odd -o - | grep cp.async.commit
//     cp.async.commit_group;
//     cp.async.commit_group;
//     cp.async.commit_group;
//     cp.async.commit_group;

// $ raddle build %s --function=open -o - | grep cp.async.commit
//     cp.async.commit_group;
//     cp.async.commit_group;
//     cp.async.commit_group;
//     cp.async.commit_group;
