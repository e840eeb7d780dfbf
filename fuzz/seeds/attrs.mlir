#map = affine_map<(d0, d1)[s0] -> (d0 floordiv 4 + s0, d1 mod 3)>
!t = tuple<i1, complex<f32>, none>
"t.op"() {a = #map, b = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, c = array<i64: 1, 2>, d = @s::@t,
  e = affine_set<(d0) : (d0 - 1 >= 0, d0 == 2)>, f = #d.x<y, [1] - >, g = -1.5 : bf16, h, i = "a\0A", j = !t,
  k = dense<"0x0000803F"> : tensor<1xf32>, l = dense<(1.0, 2.0)> : tensor<complex<f32>>} : () -> ()
