// What is put together, padded or generated at places and of extents that only the run knows is read element by element,
// by vectors.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --function=cache --input=2x8x16xf32=0 --input=2x1x16xf32=1 --input=3 --quiet
// RUN: raddle build %s --function=cache | grep -e ld.global -e st.global
// A key is written into a cache at the place of its token: all but that row is copied.
func.func @cache(%cache: tensor<2x8x16xf32>, %new: tensor<2x1x16xf32>, %at: index) -> tensor<2x8x16xf32> {
  %c8 = arith.constant 8 : index
  %place = arith.remui %at, %c8 : index
  %r = tensor.insert_slice %new into %cache[0, %place, 0] [2, 1, 16] [1, 1, 1] : tensor<2x1x16xf32> into tensor<2x8x16xf32>
  return %r : tensor<2x8x16xf32>
}
// An image with zeros between its elements, as in front of a transposed convolution.
func.func @apart(%x: tensor<3x5x7xf32>) -> tensor<3x12x15xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x12x15xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x12x15xf32>) -> tensor<3x12x15xf32>
  %r = tensor.insert_slice %x into %f[0, 1, 1] [3, 5, 7] [1, 2, 2] : tensor<3x5x7xf32> into tensor<3x12x15xf32>
  return %r : tensor<3x12x15xf32>
}
// Two halves of each row, of an open number of rows, and rows behind rows.
func.func @halves(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x16xf32> {
  %r = tensor.concat dim(1) %a, %b : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
func.func @behind(%a: tensor<?x8xf32>, %b: tensor<3x8xf32>) -> tensor<?x8xf32> {
  %r = tensor.concat dim(0) %a, %b, %a : (tensor<?x8xf32>, tensor<3x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
// More pieces than one had better choose between padded ones.
func.func @many(%a: tensor<5x3xf32>, %b: tensor<5x4xf32>) -> tensor<5x31xf32> {
  %r = tensor.concat dim(1) %a, %b, %a, %a, %a, %b, %b, %b, %a : (tensor<5x3xf32>, tensor<5x4xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x3xf32>) -> tensor<5x31xf32>
  return %r : tensor<5x31xf32>
}
// An open batch of images with a border.
func.func @border(%x: tensor<?x3x5x6xf32>) -> tensor<?x3x7x9xf32> {
  %c = arith.constant -1.0 : f32
  %r = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 1, 1] {
  ^bb0(%n: index, %i: index, %j: index, %k: index):
    tensor.yield %c : f32
  } : tensor<?x3x5x6xf32> to tensor<?x3x7x9xf32>
  return %r : tensor<?x3x7x9xf32>
}
func.func @generated(%n: index, %x: tensor<9xf32>) -> tensor<?x9xf32> {
  %r = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%j] : tensor<9xf32>
    %b = arith.index_cast %i : index to i32
    %c = arith.sitofp %b : i32 to f32
    %d = arith.mulf %a, %c : f32
    tensor.yield %d : f32
  } : tensor<?x9xf32>
  return %r : tensor<?x9xf32>
}
// A branch of the program's own, whose sides read other tensors.
func.func @branch(%x: tensor<4x20xf32>, %y: tensor<4x8xf32>) -> tensor<4x20xf32> {
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4x20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x20xf32>) outs(%e : tensor<4x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %short = arith.cmpi ult, %j, %c8 : index
    %v = scf.if %short -> f32 {
      %w = tensor.extract %y[%i, %j] : tensor<4x8xf32>
      %s = arith.addf %w, %in : f32
      scf.yield %s : f32
    } else {
      %k = arith.subi %j, %c8 : index
      %w = tensor.extract %x[%i, %k] : tensor<4x20xf32>
      scf.yield %w : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x20xf32>
  return %r : tensor<4x20xf32>
}

// $ raddle run %s --all
// ok       @cache
// ok       @apart
// ok       @halves
// ok       @behind
// ok       @many
// ok       @border
// ok       @generated
// ok       @branch
// 8 functions: 8 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @cache
// ok       @apart
// ok       @halves
// ok       @behind
// ok       @many
// ok       @border
// ok       @generated
// ok       @branch
// 8 functions: 8 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @cache
// ok       @apart
// ok       @halves
// ok       @behind
// ok       @many
// ok       @border
// ok       @generated
// ok       @branch
// 8 functions: 8 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle run %s --function=cache --input=2x8x16xf32=0 --input=2x1x16xf32=1 --input=3 --quiet
// correct: all 256 elements equal the reference bit for bit

// $ raddle build %s --function=cache | grep -e ld.global -e st.global
//     ld.global.nc.v4.f32 {%f0, %f1, %f2, %f3}, [%rd7];
//     @%p0 ld.global.nc.v4.f32 {%f4, %f5, %f6, %f7}, [%rd8];
//     st.global.v4.f32 [%rd9], {%f9, %f10, %f11, %f12};
