// What a configuration of a whole function may say.
// RUN: raddle check %s --split-input-file
func.func private @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.transform_dialect_codegen codegen_spec = @s>}

// -----
func.func private @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline codegen_spec = @s>}

// -----
func.func private @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = "none">}

// -----
func.func private @f() attributes {e = #iree_codegen.export_config<workgroup_size = [4, 1, 1]>}

// -----
func.func private @f() attributes {e = #iree_codegen.export_config<workgroup_size = [4, 1, 1, 1]>}

// $ raddle check %s --split-input-file
// error[E0107]: transform dialect codegen spec requires transform dialect codegen pipeline
//  --> verify/iree/configurations.mlir:6:55
//   |
// 6 | func.func private @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline codegen_spe...
//   |                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: pass pipeline must implement PipelineAttrInterface
//  --> verify/iree/configurations.mlir:9:55
//   |
// 9 | func.func private @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = "none">}
//   |                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: expected workgroup size to have atmost 3 entries
//   --> verify/iree/configurations.mlir:15:40
//    |
// 15 | func.func private @f() attributes {e = #iree_codegen.export_config<workgroup_size = [4, 1, 1, 1]>}
//    |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
