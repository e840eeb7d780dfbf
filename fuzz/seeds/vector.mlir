func.func @v(%m: memref<4x8xf16>, %a: vector<4x8xf32>) -> vector<4xf32> {
  %i = arith.constant 0 : index
  %z = arith.constant dense<0.0> : vector<4xf32>
  %p = arith.constant 0.0 : f16
  %0 = vector.transfer_read %m[%i, %i], %p {in_bounds = [true, true]} : memref<4x8xf16>, vector<4x8xf16>
  %1 = arith.extf %0 : vector<4x8xf16> to vector<4x8xf32>
  %2 = arith.addf %1, %a : vector<4x8xf32>
  %3 = vector.multi_reduction <add>, %2, %z [1] : vector<4x8xf32> to vector<4xf32>
  return %3 : vector<4xf32>
}
