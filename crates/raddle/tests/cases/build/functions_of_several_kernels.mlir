// A function of several kernels is a function of C that calls them: temporaries lie in a workspace, and what depends on weights
// alone in a state that is filled once.
// RUN: raddle build %s --target=x86-64-v3 --function=f --emit=llvm | grep state
// RUN: raddle build %s --target=x86-64-v3 --function=open --emit=llvm | grep workspace
// RUN: raddle build %s --target=x86-64-v3 --function=counted --emit=llvm | grep workspace

util.global private @w = #flow.parameter.named<"model"::"first"> : tensor<256x128xf32>
util.global private @v = dense<2.0> : tensor<256x64xf32>

func.func @f(%x: tensor<64x128xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = util.global.load @w : tensor<256x128xf32>
  %v = util.global.load @v : tensor<256x64xf32>
  %e0 = tensor.empty() : tensor<256x128xf32>
  %shares = linalg.softmax dimension(1) ins(%w : tensor<256x128xf32>) outs(%e0 : tensor<256x128xf32>) -> tensor<256x128xf32>
  %e = tensor.empty() : tensor<128x256xf32>
  %turned = linalg.transpose ins(%shares : tensor<256x128xf32>) outs(%e : tensor<128x256xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<64x256xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %h = linalg.matmul ins(%x, %turned : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f1 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %e2 = tensor.empty() : tensor<64x64xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%h, %v : tensor<64x256xf32>, tensor<256x64xf32>) outs(%f2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

func.func @open(%x: tensor<?x128xf32>, %w: tensor<128x256xf32>, %v: tensor<256x64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x128xf32>
  %e1 = tensor.empty(%n) : tensor<?x256xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x128xf32>, tensor<128x256xf32>) outs(%f1 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %e2 = tensor.empty(%n) : tensor<?x64xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = linalg.matmul ins(%h, %v : tensor<?x256xf32>, tensor<256x64xf32>) outs(%f2 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// Another one has this name already.
// RUN: raddle build %s --target=x86-64-v3 --function=open_parallel --emit=llvm | grep define
func.func @open_parallel(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.addf %x, %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// How often a kernel is called depends on an argument. The tensor that the loop carries has two places, which change by turns.
func.func @counted(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %n: index) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<64x64xf32> {
    %e = tensor.empty() : tensor<64x64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %p = linalg.matmul ins(%t, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %p : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// How large a tensor is depends on data: nobody knows what to give the function before it runs.
// RUN: raddle build %s --target=x86-64-v3 --function=measured --emit=llvm | grep measured(
func.func @measured(%x: tensor<64xf32>, %n: tensor<index>) -> tensor<?xf32> {
  %c = tensor.extract %n[] : tensor<index>
  %s = tensor.extract_slice %x[0] [%c] [1] : tensor<64xf32> to tensor<?xf32>
  %r = arith.negf %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

// $ raddle build %s --target=x86-64-v3 --function=f --emit=llvm | grep state
// define void @f_initialize(ptr %weights, ptr %state, ptr %workspace) nounwind {
//   call void @f_kernel_0(ptr %v1, ptr %state)
// define void @f(ptr align 16 %arg0, ptr align 16 %arg1, ptr %weights, ptr %state, ptr %workspace) nounwind {
//   call void @f_kernel_1(ptr %arg0, ptr %state, ptr %workspace)
// define void @f_initialize_parallel(ptr %weights, ptr %state, ptr %workspace, ptr %threads) nounwind {
//   call void @f_kernel_0_parallel(ptr %v1, ptr %state, ptr %threads)
// define void @f_parallel(ptr align 16 %arg0, ptr align 16 %arg1, ptr %weights, ptr %state, ptr %workspace, ptr %threads) nounwind {
//   call void @f_kernel_1_parallel(ptr %arg0, ptr %state, ptr %workspace, ptr %threads)
// remark[E0304]: the caller of `f` gives a weight that the text does not hold: `model::first`

// $ raddle build %s --target=x86-64-v3 --function=open --emit=llvm | grep workspace
// define void @k$open(ptr align 16 %arg0, ptr align 16 %arg1, ptr align 16 %arg2, ptr align 16 %arg3, i64 %arg4, ptr %workspace) nounwind {
//   call void @open_kernel_0(ptr %arg0, ptr %arg1, ptr %workspace, i64 %arg4, i64 %arg4)
//   call void @open_kernel_1(ptr %workspace, ptr %arg2, ptr %arg0, ptr %arg3, i64 %arg4, i64 %arg4, i64 %arg4)
// define void @k$open_parallel(ptr align 16 %arg0, ptr align 16 %arg1, ptr align 16 %arg2, ptr align 16 %arg3, i64 %arg4, ptr %workspace, ptr %threads) nounwind {
//   call void @open_kernel_0_parallel(ptr %arg0, ptr %arg1, ptr %workspace, i64 %arg4, i64 %arg4, ptr %threads)
//   call void @open_kernel_1_parallel(ptr %workspace, ptr %arg2, ptr %arg0, ptr %arg3, i64 %arg4, i64 %arg4, i64 %arg4, ptr %threads)
// define i64 @k$open_workspace_bytes(i64 %arg4) nounwind {

// $ raddle build %s --target=x86-64-v3 --function=counted --emit=llvm | grep workspace
// define void @counted(ptr align 16 %arg0, ptr align 16 %arg1, i64 %arg2, ptr align 16 %arg3, ptr %workspace) nounwind {
//   %v2 = getelementptr i8, ptr %workspace, i64 %v1
//   %v10 = getelementptr i8, ptr %workspace, i64 %v9
//   %v14 = getelementptr i8, ptr %workspace, i64 %v13
//   %v22 = getelementptr i8, ptr %workspace, i64 %v21
// define void @counted_parallel(ptr align 16 %arg0, ptr align 16 %arg1, i64 %arg2, ptr align 16 %arg3, ptr %workspace, ptr %threads) nounwind {
//   %v2 = getelementptr i8, ptr %workspace, i64 %v1
//   %v10 = getelementptr i8, ptr %workspace, i64 %v9
//   %v14 = getelementptr i8, ptr %workspace, i64 %v13
//   %v22 = getelementptr i8, ptr %workspace, i64 %v21

// $ raddle build %s --target=x86-64-v3 --function=open_parallel --emit=llvm | grep define
// define internal void @k$$open_parallel$part(ptr addrspace(0) noalias readonly align 16 %arg0, ptr addrspace(0) noalias align 16 %arg1, i64 %first, i64 %last) nounwind "target-cpu"="x86-64-v3" "prefer-vector-width"="256" {
// define  void @k$$open_parallel(ptr addrspace(0) noalias readonly align 16 %arg0, ptr addrspace(0) noalias align 16 %arg1) nounwind "target-cpu"="x86-64-v3" "prefer-vector-width"="256" {
// define void @k$$open_parallel$packed(ptr %args, i64 %first, i64 %last) nounwind {
// define void @k$$open_parallel_parallel(ptr %arg0, ptr %arg1, ptr %threads) nounwind {

// $ raddle build %s --target=x86-64-v3 --function=measured --emit=llvm | grep measured(
// ; func.func @measured(%arg0: tensor<64xf32>, %arg1: tensor<index>) -> tensor<?xf32> {
// remark[E0701]: `measured` has no C function, only its kernels have: `func.func` is not one of the calls of a sequence
//   --> build/functions_of_several_kernels.mlir:63:1
//    |
// 63 | func.func @measured(%x: tensor<64xf32>, %n: tensor<index>) -> tensor<?xf32> {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ data decide how large a result is
//    |
//    = note: `hosts` of the launch data says who calls them
