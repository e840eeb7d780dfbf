// The metadata of a file is kept: of the builtin resources, those that are used.
// RUN: raddle check %s --split-input-file
{-# dialect_resources: { builtin: { r: 1 } } #-}

// -----
{-# dialect_resources: {

// -----

// $ raddle check %s --split-input-file
// error[E0101]: expected a string, `true` or `false`, found `1`
//  --> verify/language/metadata_is_kept.mlir:3:40
//   |
// 3 | {-# dialect_resources: { builtin: { r: 1 } } #-}
//   |                                        ^ expected a string, `true` or `false`
//
// error[E0101]: expected the key of a resource, found the end of the text
//  --> verify/language/metadata_is_kept.mlir:8:1
//   |
// 8 |
//   | ^ expected the key of a resource
//
// 2 diagnostics
// [exit status 1]
