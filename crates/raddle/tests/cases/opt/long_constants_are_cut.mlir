// Long constants can be left out, or printed as the digits of their bytes.
// RUN: raddle opt %s --mlir-elide-elementsattrs-if-larger=3 | grep constant
// RUN: raddle opt %s --mlir-elide-elementsattrs-if-larger=4 | grep constant
// RUN: raddle opt %s --mlir-print-elementsattrs-with-hex-if-larger=3 | grep constant
// RUN: raddle opt %s --mlir-print-elementsattrs-with-hex-if-larger=-1 | grep constant
func.func @f() -> vector<4xi8> {
  %0 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi8>
  return %0 : vector<4xi8>
}

// $ raddle opt %s --mlir-elide-elementsattrs-if-larger=3 | grep constant
//     %cst = arith.constant dense_resource<__elided__> : vector<4xi8>

// $ raddle opt %s --mlir-elide-elementsattrs-if-larger=4 | grep constant
//     %cst = arith.constant dense<[1, 2, 3, 4]> : vector<4xi8>

// $ raddle opt %s --mlir-print-elementsattrs-with-hex-if-larger=3 | grep constant
//     %cst = arith.constant dense<"0x01020304"> : vector<4xi8>

// $ raddle opt %s --mlir-print-elementsattrs-with-hex-if-larger=-1 | grep constant
//     %cst = arith.constant dense<[1, 2, 3, 4]> : vector<4xi8>
