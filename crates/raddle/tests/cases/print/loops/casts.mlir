// Casts keep shapes and encodings and take signless integers; some go through memory.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: memref<?xi16>) {
    %0 = arith.bitcast %arg0 : memref<?xi16> to memref<?xbf16>
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<4xi32>) {
    %0 = arith.index_cast %arg0 : memref<4xi32> to memref<4xindex>
    return
  }
}

// -----
module {
  func.func @f(%arg0: tensor<4xf16, "e">) {
    %0 = arith.extf %arg0 : tensor<4xf16, "e"> to tensor<4xf32, "e">
    return
  }
}

// -----
module {
  func.func @f(%arg0: vector<[4]xindex>) {
    %0 = arith.index_castui %arg0 : vector<[4]xindex> to vector<[4]xi8>
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
