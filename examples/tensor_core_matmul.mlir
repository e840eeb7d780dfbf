// C + A · B in half precision by a pipeline of tensor cores: tiles of 32x32x16 for four subgroups, two along each side,
// and three stages of copies and products. docs/lowering-configs.md says what each number means.
//
//   cargo run --release -- run examples/tensor_core_matmul.mlir
#config = #iree_codegen.compilation_info<
  lowering_config = #iree_codegen.lowering_config<tile_sizes = [[32, 32, 16]]>,
  translation_info = #iree_codegen.translation_info<
    pipeline = LLVMGPUMatmulTensorCore workgroup_size = [64, 2, 1], {pipeline_depth = 3 : i64, store_stage = 1 : i64}>>
func.func @matmul_accumulate(%A: tensor<512x128xf16>, %B: tensor<128x512xf16>, %C: tensor<512x512xf16>) -> tensor<512x512xf16> {
  %D = linalg.matmul {compilation_info = #config} ins(%A, %B : tensor<512x128xf16>, tensor<128x512xf16>)
                                                  outs(%C : tensor<512x512xf16>) -> tensor<512x512xf16>
  return %D : tensor<512x512xf16>
}
