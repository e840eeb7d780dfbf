#a = loc("f.mlir":1:2)
module {
  func.func private @p() loc(fused["n"(#a), callsite("x" at unknown)])
  %0:2 = "t.two"() : () -> (i1, i2) loc("n")
} loc(unknown)
{-# dialect_resources: { builtin: { r: "0x0400000001020304" } } #-}
