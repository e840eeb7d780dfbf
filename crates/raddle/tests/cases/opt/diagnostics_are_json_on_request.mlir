// Diagnostics as JSON: one object in each line, with code, place and help.
// RUN: raddle opt %s --diagnostics=json
// RUN: raddle opt %s --diagnostics=json --target=sm_8
func.func @f() {
  %0 = arith.addf %1, %1 : f32
  return
}
func.func @g() {
  arith.adf
}

// $ raddle opt %s --diagnostics=json
// {"code":"E0103","file":"opt/diagnostics_are_json_on_request.mlir","help":null,"label":"no value has this name here","message":"use of undeclared SSA value name `%1`","notes":[],"related":[],"severity":"error","span":{"end":{"byte":209,"column":21,"line":5},"start":{"byte":207,"column":19,"line":5}}}
// {"code":"E0102","file":"opt/diagnostics_are_json_on_request.mlir","help":"did you mean `arith.addf`?","label":"unknown operation","message":"the dialect `arith` has no operation `arith.adf` that raddle knows","notes":[],"related":[],"severity":"error","span":{"end":{"byte":259,"column":12,"line":9},"start":{"byte":250,"column":3,"line":9}}}
// [exit status 1]

// $ raddle opt %s --diagnostics=json --target=sm_8
// {"code":"E0903","file":null,"help":"did you mean `sm_80`?","label":null,"message":"there is no target `sm_8`","notes":[],"related":[],"severity":"error","span":null}
// [exit status 2]
