// On a CPU, where a thread has the whole tile, a tile that lies in one of many pieces reads that one alone: conditions that
// are one for the tile stay branches, and what is read in them needs no mask.
// RUN: raddle run %s --target=x86-64-v4 --compare=vector,pipelined | grep correct
// RUN: raddle opt %s --to=vector --target=x86-64-v4 | grep scf.if
// RUN: raddle opt %s --to=vector --target=x86-64-v4 | grep gather
func.func @f(%a: tensor<3x1x64xf32>, %b: tensor<3x2x64xf32>, %c: tensor<3x1x64xf32>, %d: tensor<3x1x64xf32>) -> tensor<3x5x64xf32> {
  %e = tensor.empty() : tensor<3x5x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<3x5x64xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = linalg.index 2 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %in_a = arith.cmpi ult, %j, %c1 : index
      %v = scf.if %in_a -> (f32) {
        %x = tensor.extract %a[%i, %c0, %k] : tensor<3x1x64xf32>
        scf.yield %x : f32
      } else {
        %in_b = arith.cmpi ult, %j, %c3 : index
        %w = scf.if %in_b -> (f32) {
          %at = arith.subi %j, %c1 : index
          %x = tensor.extract %b[%i, %at, %k] : tensor<3x2x64xf32>
          scf.yield %x : f32
        } else {
          %at = arith.subi %j, %c3 : index
          %is_c = arith.cmpi eq, %at, %c0 : index
          %u = scf.if %is_c -> (f32) {
            %x = tensor.extract %c[%i, %c0, %k] : tensor<3x1x64xf32>
            scf.yield %x : f32
          } else {
            %x = tensor.extract %d[%i, %c0, %k] : tensor<3x1x64xf32>
            scf.yield %x : f32
          }
          scf.yield %u : f32
        }
        scf.yield %w : f32
      }
      linalg.yield %v : f32
  } -> tensor<3x5x64xf32>
  return %r : tensor<3x5x64xf32>
}

// $ raddle run %s --target=x86-64-v4 --compare=vector,pipelined | grep correct
// correct: stage `vector`, all 960 elements equal the reference bit for bit
// correct: stage `pipelined`, all 960 elements equal the reference bit for bit
// correct: stage `pipelined`, all 960 elements equal stage `vector` bit for bit

// $ raddle opt %s --to=vector --target=x86-64-v4 | grep scf.if
//     %7 = scf.if %6 -> (vector<1x1x64xf32>) {
//       %11 = scf.if %10 -> (vector<1x1x64xf32>) {
//         %15 = scf.if %14 -> (vector<1x1x64xf32>) {

// $ raddle opt %s --to=vector --target=x86-64-v4 | grep gather
//       %10 = iree_vector_ext.transfer_gather %arg0[%9, %c0_1, %c0_2], %cst_3 {indexing_maps = [#map1]} : memref<3x1x64xf32>, vector<1x64xf32>
//         %14 = iree_vector_ext.transfer_gather %arg1[%12, %13, %c0_1], %cst_2 {indexing_maps = [#map3]} : memref<3x2x64xf32>, vector<1x1x64xf32>
//           %17 = iree_vector_ext.transfer_gather %arg2[%16, %c0_4, %c0_5], %cst_6 {indexing_maps = [#map1]} : memref<3x1x64xf32>, vector<1x64xf32>
//           %17 = iree_vector_ext.transfer_gather %arg3[%16, %c0_4, %c0_5], %cst_6 {indexing_maps = [#map1]} : memref<3x1x64xf32>, vector<1x64xf32>
