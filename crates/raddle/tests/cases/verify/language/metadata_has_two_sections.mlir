// The sections of a file's metadata are those of known dialects and of others.
// RUN: raddle check %s --split-input-file
{-# key: {} #-}

// -----
{-# dialect_resources: { nobody: {} } #-}

// -----
{-# dialect_resources: { arith: { a: true } } #-}

// -----
{-#

// -----

// $ raddle check %s --split-input-file
// error[E0101]: unknown key 'key' in file metadata dictionary
//  --> verify/language/metadata_has_two_sections.mlir:3:5
//   |
// 3 | {-# key: {} #-}
//   |     ^^^
//
// error[E0101]: dialect 'nobody' is unknown
//  --> verify/language/metadata_has_two_sections.mlir:6:26
//   |
// 6 | {-# dialect_resources: { nobody: {} } #-}
//   |                          ^^^^^^
//
// error[E0101]: unknown 'resource' key 'a' for dialect 'arith'
//  --> verify/language/metadata_has_two_sections.mlir:9:35
//   |
// 9 | {-# dialect_resources: { arith: { a: true } } #-}
//   |                                   ^
//
// error[E0101]: expected identifier key in file metadata dictionary, or `#-}`, found the end of the text
//   --> verify/language/metadata_has_two_sections.mlir:13:2
//    |
// 12 | {-#
//    | --- the metadata opens here
// 13 |
//    | ^ expected identifier key in file metadata dictionary, or `#-}`
//
// 4 diagnostics
// [exit status 1]
