// Names that came from locations are names as any others.
// RUN: raddle opt %s | grep yield
func.func @f(%a_tile: index, %arg1: index, %arg1_: index) -> index {
  %sum = arith.addi %a_tile, %arg1 : index
  %0 = arith.cmpi eq, %sum, %a_tile : index
  %_3rd = scf.if %0 -> (index) {
    scf.yield %sum : index
  } else {
    scf.yield %arg1_ : index
  }
  return %_3rd : index
}

// $ raddle opt %s | grep yield
//       scf.yield %0 : index
//       scf.yield %arg2 : index
