// Resources of streams, and the executables that are dispatched on them.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: !stream.resource<*>, %arg1: index, %arg2: !stream.timepoint, %arg3: i32) {
    %0:2 = stream.resource.alloca uninitialized : !stream.resource<transient>{%arg1} => !stream.timepoint
    %1:2 = stream.resource.alloca uninitialized await(%arg2) => !stream.resource<transient>{%arg1} => !stream.timepoint
    %2 = stream.async.fill %arg3, %arg0[%arg1 to %arg1 for %arg1] : i32 -> %arg0 as !stream.resource<*>{%arg1}
    %3 = stream.timepoint.join max(%0#1, %1#1) => !stream.timepoint
    %4 = stream.async.constant : !stream.resource<constant>{%arg1} = #stream.parameter.named<"a"::"b"> : vector<4xi8>
    %5 = stream.tensor.sizeof tensor<?x4xf32>{%arg1} : index
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
