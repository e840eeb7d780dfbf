// A symbol that says nothing of who sees it, and one that says `public`, stay two programs.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
util.func @f() {
  util.return
}

// -----
util.func public @f() {
  util.return
}

// -----
util.global @f : i32

// -----
util.global public @f : i32

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// module {
//   util.func @f() {
//     util.return
//   }
// module {
//   util.func public @f() {
//     util.return
//   }
// module {
//   util.global @f : i32
// module {
//   util.global public @f : i32
