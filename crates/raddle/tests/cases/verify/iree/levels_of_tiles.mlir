// Tile sizes for CPUs are lists, one for each level; alignments are words.
// RUN: raddle check %s --split-input-file
func.func private @f() attributes {c = #iree_cpu.lowering_config<distribution = [4, 8], cache_parallel = [1]>}

// -----
func.func private @f() attributes {c = #iree_cpu.lowering_config<cache_parallel = 8>}

// -----
func.func private @f() attributes {c = #iree_cpu.lowering_config<{}>}

// -----
func.func private @f() attributes {c = #iree_cpu.inner_tile_alignments<distribution = [Equal, Unknown], cache_parallel = [Multiple]>}

// -----
func.func private @f() attributes {c = #iree_cpu.inner_tile_alignments<distribution = [Some]>}

// -----
func.func private @f() attributes {c = #iree_cpu.inner_tile_alignments<distribution = Equal>}

// -----
func.func private @f() attributes {c = #iree_cpu.inner_tile_alignments<>}

// $ raddle check %s --split-input-file
// error[E0107]: `cache_parallel` is a list of tile sizes, one for each loop
//  --> verify/iree/levels_of_tiles.mlir:6:40
//   |
// 6 | func.func private @f() attributes {c = #iree_cpu.lowering_config<cache_parallel = 8>}
//   |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: expected names of tiling levels, not a dictionary
//  --> verify/iree/levels_of_tiles.mlir:9:40
//   |
// 9 | func.func private @f() attributes {c = #iree_cpu.lowering_config<{}>}
//   |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: expected an InnerTileAlignment (Unknown|Multiple|Equal), got: Some
//   --> verify/iree/levels_of_tiles.mlir:15:40
//    |
// 15 | func.func private @f() attributes {c = #iree_cpu.inner_tile_alignments<distribution = [Some]>}
//    |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: expected a list of alignments
//   --> verify/iree/levels_of_tiles.mlir:18:40
//    |
// 18 | func.func private @f() attributes {c = #iree_cpu.inner_tile_alignments<distribution = Equal>}
//    |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: expected at least one tiling level
//   --> verify/iree/levels_of_tiles.mlir:21:40
//    |
// 21 | func.func private @f() attributes {c = #iree_cpu.inner_tile_alignments<>}
//    |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 5 diagnostics
// [exit status 1]
