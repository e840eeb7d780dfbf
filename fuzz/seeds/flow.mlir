func.func @c(%c: i1, %n: index, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b
^a(%y: i32):
  %s = arith.constant 1 : index
  %r = scf.for %i = %s to %n step %s iter_args(%k = %y) -> (i32) {
    %t = scf.if %c -> (i32) {
      scf.yield %k : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %t : i32
  }
  return %r : i32
^b:
  cf.br ^a(%x : i32)
}
