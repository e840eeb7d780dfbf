// Numbers, lists and texts of the host.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: index, %arg1: f32, %arg2: !util.buffer, %arg3: i32) {
    %0 = util.switch f32 from [%arg1, %arg1] at %arg0 else %arg1 : f32
    %1 = util.switch f32 from [] at %arg0 else %arg1 : f32
    %2 = util.list.construct [%arg1 : f32, %arg3 : i32] : !util.list<?>
    %3 = util.list.construct [] : !util.list<f32>
    %4 = util.buffer.subspan %arg2[%arg0] : !util.buffer{%arg0} -> !util.buffer{%arg0}
    %5 = util.string.format "{}/{}"(%arg0, %arg3) : (index, i32) -> !util.buffer
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
