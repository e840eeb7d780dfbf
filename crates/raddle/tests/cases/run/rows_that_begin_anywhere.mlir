// Results whose rows no wide access divides go through shared memory, in rows that begin as far behind a multiple of 16 bytes
// as in memory: whole accesses are stored from there, and single elements at the ends of rows.
// RUN: raddle build %s --function=words -o - | grep -c st.global.v4
// RUN: raddle build %s --function=bytes -o - | grep -c st.global.v4
// RUN: raddle build %s --function=floats -o - | grep -c st.global.v4
// RUN: raddle run %s --function=words --async=eager --quiet
// RUN: raddle run %s --function=words --device=ptx-emu --target=sm_90a --quiet | grep -c correct
// RUN: raddle run %s --function=bytes --quiet
// RUN: raddle run %s --function=bytes --device=ptx-emu --quiet
// RUN: raddle run %s --function=floats --quiet
// RUN: raddle run %s --function=floats --device=ptx-emu --quiet | grep -c correct
// RUN: raddle run %s --function=two --quiet
// RUN: raddle run %s --function=two --device=ptx-emu --target=sm_90a --async=eager --quiet
// RUN: raddle run %s --function=in_place --quiet

func.func @words(%a: tensor<150x64xf16>, %b: tensor<261x64xf16>, %bi: tensor<261xf16>) -> tensor<150x261xf16> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %z0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<150x261xf32>
  %fl = linalg.fill ins(%z0 : f32) outs(%e : tensor<150x261xf32>) -> tensor<150x261xf32>
  %mm = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"]} ins(%a, %b : tensor<150x64xf16>, tensor<261x64xf16>) outs(%fl : tensor<150x261xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], workgroup = [128, 128, 0]}>} {
  ^bb0(%x: f16, %y: f16, %o: f32):
  %xe = arith.extf %x : f16 to f32
  %ye = arith.extf %y : f16 to f32
  %t = arith.mulf %xe, %ye : f32
  %u = arith.addf %o, %t : f32
  linalg.yield %u : f32
  } -> tensor<150x261xf32>
  %r0 = tensor.empty() : tensor<150x261xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(n)>, affine_map<(m,n)->(m,n)>], iterator_types = ["parallel","parallel"]} ins(%mm, %bi :  tensor<150x261xf32>,  tensor<261xf16>) outs(%r0 : tensor<150x261xf16>) {
  ^bb0(%x: f32, %p: f16, %oo: f16):
  %pe = arith.extf %p : f16 to f32
  %v1 = arith.addf %x, %pe : f32
  %z = arith.truncf %v1 : f32 to f16
  linalg.yield %z : f16
  } -> tensor<150x261xf16>
  return %r : tensor<150x261xf16>
}

func.func @bytes(%a: tensor<3x70x64xi8>, %b: tensor<3x133x64xi8>) -> tensor<3x70x133xi8> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %z0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x70x133xi32>
  %fl = linalg.fill ins(%z0 : i32) outs(%e : tensor<3x70x133xi32>) -> tensor<3x70x133xi32>
  %mm = linalg.generic {indexing_maps = [affine_map<(b,m,n,k)->(b,m,k)>, affine_map<(b,m,n,k)->(b,n,k)>, affine_map<(b,m,n,k)->(b,m,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%a, %b : tensor<3x70x64xi8>, tensor<3x133x64xi8>) outs(%fl : tensor<3x70x133xi32>) attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_I32_16x8x32_I8>, promote_operands = [0, 1], reduction = [0, 0, 0, 64], subgroup_basis = [[1, 2, 2, 1], [0, 1, 2, 3]], workgroup = [1, 64, 128, 0]}>} {
  ^bb0(%x: i8, %y: i8, %o: i32):
  %xe = arith.extsi %x : i8 to i32
  %ye = arith.extsi %y : i8 to i32
  %t = arith.muli %xe, %ye : i32
  %u = arith.addi %o, %t : i32
  linalg.yield %u : i32
  } -> tensor<3x70x133xi32>
  %r0 = tensor.empty() : tensor<3x70x133xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(b,m,n)->(b,m,n)>, affine_map<(b,m,n)->(b,m,n)>], iterator_types = ["parallel","parallel","parallel"]} ins(%mm :  tensor<3x70x133xi32>) outs(%r0 : tensor<3x70x133xi8>) {
  ^bb0(%x: i32, %oo: i8):
  %z = arith.trunci %x : i32 to i8
  linalg.yield %z : i8
  } -> tensor<3x70x133xi8>
  return %r : tensor<3x70x133xi8>
}

func.func @floats(%a: tensor<150x64xf16>, %b: tensor<261x64xf16>, %bi: tensor<261xf32>) -> tensor<150x261xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %z0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<150x261xf32>
  %fl = linalg.fill ins(%z0 : f32) outs(%e : tensor<150x261xf32>) -> tensor<150x261xf32>
  %mm = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"]} ins(%a, %b : tensor<150x64xf16>, tensor<261x64xf16>) outs(%fl : tensor<150x261xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], workgroup = [64, 64, 0]}>} {
  ^bb0(%x: f16, %y: f16, %o: f32):
  %xe = arith.extf %x : f16 to f32
  %ye = arith.extf %y : f16 to f32
  %t = arith.mulf %xe, %ye : f32
  %u = arith.addf %o, %t : f32
  linalg.yield %u : f32
  } -> tensor<150x261xf32>
  %r0 = tensor.empty() : tensor<150x261xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(n)>, affine_map<(m,n)->(m,n)>], iterator_types = ["parallel","parallel"]} ins(%mm, %bi :  tensor<150x261xf32>,  tensor<261xf32>) outs(%r0 : tensor<150x261xf32>) {
  ^bb0(%x: f32, %p: f32, %oo: f32):
  %v1 = arith.addf %x, %p : f32
  linalg.yield %v1 : f32
  } -> tensor<150x261xf32>
  return %r : tensor<150x261xf32>
}

// Rows of two results take the same memory, one behind the other.
func.func @two(%a: tensor<150x64xf16>, %b: tensor<261x64xf16>) -> (tensor<150x261xf16>, tensor<150x261xf16>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %z0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<150x261xf32>
  %fl = linalg.fill ins(%z0 : f32) outs(%e : tensor<150x261xf32>) -> tensor<150x261xf32>
  %mm = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"]} ins(%a, %b : tensor<150x64xf16>, tensor<261x64xf16>) outs(%fl : tensor<150x261xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], workgroup = [128, 128, 0]}>} {
  ^bb0(%x: f16, %y: f16, %o: f32):
  %xe = arith.extf %x : f16 to f32
  %ye = arith.extf %y : f16 to f32
  %t = arith.mulf %xe, %ye : f32
  %u = arith.addf %o, %t : f32
  linalg.yield %u : f32
  } -> tensor<150x261xf32>
  %r0 = tensor.empty() : tensor<150x261xf16>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m,n)>], iterator_types = ["parallel","parallel"]} ins(%mm : tensor<150x261xf32>) outs(%r0, %r0 : tensor<150x261xf16>, tensor<150x261xf16>) {
  ^bb0(%x: f32, %o: f16, %p: f16):
    %y = arith.truncf %x : f32 to f16
    %n = arith.negf %y : f16
    linalg.yield %y, %n : f16, f16
  } -> (tensor<150x261xf16>, tensor<150x261xf16>)
  return %r#0, %r#1 : tensor<150x261xf16>, tensor<150x261xf16>
}

func.func @in_place(%a: memref<150x64xf16>, %b: memref<261x64xf16>, %c: memref<150x261xf16>) {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<150x261xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<150x261xf32>)
  linalg.matmul indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>] {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], workgroup = [128, 128, 0]}>} ins(%a, %b : memref<150x64xf16>, memref<261x64xf16>) outs(%t : memref<150x261xf32>)
  linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m,n)>], iterator_types = ["parallel","parallel"]} ins(%t : memref<150x261xf32>) outs(%c : memref<150x261xf16>) {
  ^bb0(%x: f32, %o: f16):
    %e = arith.extf %o : f16 to f32
    %s = arith.addf %x, %e : f32
    %y = arith.truncf %s : f32 to f16
    linalg.yield %y : f16
  }
  return
}

// $ raddle build %s --function=words -o - | grep -c st.global.v4
// 16

// $ raddle build %s --function=bytes -o - | grep -c st.global.v4
// 4

// $ raddle build %s --function=floats -o - | grep -c st.global.v4
// 8

// $ raddle run %s --function=words --async=eager --quiet
// correct: all 39150 elements agree with the reference within 6.29e-2 + 1.95e-3·|expected| (39121 bit for bit)

// $ raddle run %s --function=words --device=ptx-emu --target=sm_90a --quiet | grep -c correct
// 1

// $ raddle run %s --function=bytes --quiet
// correct: all 27930 elements equal the reference bit for bit

// $ raddle run %s --function=bytes --device=ptx-emu --quiet
// correct: all 27930 elements equal the reference bit for bit

// $ raddle run %s --function=floats --quiet
// correct: all 39150 elements agree with the reference within 5.75e-5 + 2.38e-7·|expected| (9003 bit for bit)

// $ raddle run %s --function=floats --device=ptx-emu --quiet | grep -c correct
// 1

// $ raddle run %s --function=two --quiet
// correct: result 0, all 39150 elements agree with the reference within 9.36e-2 + 1.95e-3·|expected| (39123 bit for bit)
// correct: result 1, all 39150 elements agree with the reference within 9.36e-2 + 1.95e-3·|expected| (39123 bit for bit)

// $ raddle run %s --function=two --device=ptx-emu --target=sm_90a --async=eager --quiet
// correct: result 0, all 39150 elements agree with the reference within 9.36e-2 + 1.95e-3·|expected| (39123 bit for bit)
// correct: result 1, all 39150 elements agree with the reference within 9.36e-2 + 1.95e-3·|expected| (39123 bit for bit)

// $ raddle run %s --function=in_place --quiet
// correct: all 39150 elements agree with the reference within 6.30e-2 + 1.95e-3·|expected| (39122 bit for bit)
