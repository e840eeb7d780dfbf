// Where the tiles of a product fill the processors a few times and leave some over, it is two products, with all that is
// computed of it; what they give lies where it belongs. This chip has 16 processors.
// RUN: raddle opt %s --target=sm_87 --to=configured --remarks 2>&1 | grep two,
// RUN: raddle run %s --all --target=sm_87
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#column = affine_map<(m, n) -> (m)>
#turned = affine_map<(m, n) -> (n, m)>
func.func @rows(%a: tensor<528x1024xf16>, %b: tensor<1024x512xf16>, %bias: tensor<512xf16>, %more: tensor<528x512xf16>) -> tensor<528x512xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<528x512xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<528x512xf16>) -> tensor<528x512xf16>
  %p = linalg.matmul ins(%a, %b : tensor<528x1024xf16>, tensor<1024x512xf16>) outs(%f : tensor<528x512xf16>) -> tensor<528x512xf16>
  %r = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %bias, %more : tensor<528x512xf16>, tensor<512xf16>, tensor<528x512xf16>) outs(%e : tensor<528x512xf16>) {
  ^bb0(%x: f16, %y: f16, %m: f16, %o: f16):
    %1 = arith.addf %x, %y : f16
    %2 = arith.maximumf %1, %z : f16
    %3 = arith.addf %2, %m : f16
    linalg.yield %3 : f16
  } -> tensor<528x512xf16>
  return %r : tensor<528x512xf16>
}
func.func @columns(%a: tensor<512x1024xf16>, %b: tensor<1024x528xf16>, %bias: tensor<512xf16>) -> tensor<528x512xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<512x528xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<512x528xf16>) -> tensor<512x528xf16>
  %p = linalg.matmul ins(%a, %b : tensor<512x1024xf16>, tensor<1024x528xf16>) outs(%f : tensor<512x528xf16>) -> tensor<512x528xf16>
  %t = tensor.empty() : tensor<528x512xf16>
  %r = linalg.generic {indexing_maps = [#id, #column, #turned], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<512x528xf16>, tensor<512xf16>) outs(%t : tensor<528x512xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i16
    %g = arith.sitofp %n : i16 to f16
    %1 = arith.addf %x, %y : f16
    %2 = arith.addf %1, %g : f16
    linalg.yield %2 : f16
  } -> tensor<528x512xf16>
  return %r : tensor<528x512xf16>
}

// $ raddle opt %s --target=sm_87 --to=configured --remarks 2>&1 | grep two,
// remark[E0304]: a product is two, of 448 and 80 rows of its result: the processors would have 1.2 tiles each
// remark[E0304]: a product is two, of 512 and 16 rows of its result: the processors would have 2.1 tiles each

// $ raddle run %s --all --target=sm_87
// ok       @rows
// ok       @columns
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
