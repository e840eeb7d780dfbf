llvm.mlir.global internal constant @g("ab") {addr_space = 1 : i32}
llvm.func fastcc @f(%a: !llvm.ptr<3> {llvm.noalias}, %b: i32, ...) -> !llvm.struct<"s", packed (i32, array<2 x f16>)> {
  %0 = llvm.getelementptr inbounds %a[%b, 1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.struct<(i32, f32)>
  %1 = llvm.load volatile %0 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
  %2 = llvm.icmp "slt" %b, %b : i32
  %3 = nvvm.shfl.sync bfly %b, %1, %b, %b : f32 -> f32
  llvm.switch %b : i32, ^x [1: ^y, -2: ^x]
^x:
  llvm.unreachable
^y:
  %4 = llvm.mlir.undef : !llvm.struct<"s", packed (i32, array<2 x f16>)>
  llvm.return %4 : !llvm.struct<"s", packed (i32, array<2 x f16>)>
}
