// Resources of streams, and the executables that are dispatched on them.
// RUN: raddle check %s --split-input-file
stream.executable private @e {
  stream.executable.export public @d workgroups(%w: index) -> (index, index, index) {
    stream.return %w, %w, %w : index, index, index
  }
  builtin.module {
    func.func @d(%b: !stream.binding, %o: index) {
      %0 = stream.binding.subspan %b[%o] : !stream.binding -> memref<?xf32>{%o}
      return
    }
  }
}

// -----
stream.executable private @e {
  stream.executable.export public @d workgroups(%w: index) -> (index, index) {
    stream.return %w, %w : index, index
  }
  builtin.module {
    func.func @d(%b: !stream.binding, %o: index) {
      %0 = stream.binding.subspan %b[%o] : !stream.binding -> memref<?xf32>{%o}
      return
    }
  }
}

// $ raddle check %s --split-input-file
// error[E0101]: workgroup count region must return the XYZ dimension counts
//   --> verify/host/streams.mlir:17:63
//    |
// 17 |   stream.executable.export public @d workgroups(%w: index) -> (index, index) {
//    |                                                               ^
// [exit status 1]
