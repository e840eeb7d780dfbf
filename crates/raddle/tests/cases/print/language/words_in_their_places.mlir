// Words that are told from what follows, and numbers without a sign.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: vector<4xf32>, %arg1: f32, %arg2: i32, %arg3: index, %arg4: i1) {
    vector.print %arg0 : vector<4xf32>
    vector.print punctuation <comma>
    %sin, %cos = math.sincos %arg1 : f32
    %sum, %overflow = arith.addui_extended %arg2, %arg2 : i32, i1
    %0 = scf.execute_region -> i32 no_inline {
      scf.yield %arg2 : i32
    }
    %1:2 = scf.index_switch %arg3 -> i32, i1
    case 1 {
      scf.yield %arg2, %arg4 : i32, i1
    }
    default {
      scf.yield %0, %arg4 : i32, i1
    }
    %idx4 = index.constant 4
    %true = index.bool.constant true
    return
  }
}

// -----
func.func @f(%a: i32) {
  cf.switch %a : i32, [default: ^y, -3: ^y]
^y:
  return
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
//     %1:2 = scf.index_switch %arg3 -> i32, i1
//   func.func @f(%arg0: i32) {
//     cf.switch %arg0 : i32, [
//       default: ^bb1,
//       4294967293: ^bb1
//     ]
//   ^bb1:  // 2 preds: ^bb0, ^bb0
