// The sizes of workgroups and subgroups are checked where they are written.
// RUN: raddle check %s --split-input-file
func.func private @f() attributes {t = #iree_codegen.translation_info<pipeline = None workgroup_size = [1, 1, 1, 1]>}

// -----
func.func private @f() attributes {t = #iree_codegen.translation_info<pipeline = None workgroup_size = [0]>}

// -----
func.func private @f() attributes {t = #iree_codegen.translation_info<pipeline = None workgroup_size = [64] subgroup_size = -1>}

// $ raddle check %s --split-input-file
// error[E0107]: workgroup size cannot have more than 3 entries
//  --> verify/layouts/translation_info_is_checked.mlir:3:40
//   |
// 3 | func.func private @f() attributes {t = #iree_codegen.translation_info<pipeline = None workgroup_size = [1, 1, 1, 1]>}
//   |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: workgroup size value has to be greater than zero
//  --> verify/layouts/translation_info_is_checked.mlir:6:40
//   |
// 6 | func.func private @f() attributes {t = #iree_codegen.translation_info<pipeline = None workgroup_size = [0]>}
//   |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: subgroup size value cannot be negative
//  --> verify/layouts/translation_info_is_checked.mlir:9:40
//   |
// 9 | func.func private @f() attributes {t = #iree_codegen.translation_info<pipeline = None workgroup_size = [64] subgroup_size = -1>}
//   |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
