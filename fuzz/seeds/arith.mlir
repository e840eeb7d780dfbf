func.func @f(%a: i32, %b: f32) -> (i32, i1) {
  %c = arith.constant 7 : i32
  %0 = arith.addi %a, %c overflow<nsw> : i32
  %1 = arith.cmpi slt, %0, %a : i32
  %2 = arith.mulf %b, %b fastmath<fast> : f32
  return %0, %1 : i32, i1
}
