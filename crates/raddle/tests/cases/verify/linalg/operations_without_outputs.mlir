// An operation may do without outputs, as one that only checks something.
// RUN: raddle check %s
func.func @f(%arg0: tensor<8xi1>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<8xi1>) {
  ^bb0(%a: i1):
    cf.assert %a, "all"
    linalg.yield
  }
  return
}

// $ raddle check %s
