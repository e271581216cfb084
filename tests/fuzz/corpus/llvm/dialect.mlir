module attributes {"ttg.num-warps" = 4 : i32} {
  llvm.func @k(%p: !llvm.ptr<1>, %a: f32, %s: !llvm.ptr<1>, %t: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
    %b = llvm.fadd %a, %a : f32
    %c = llvm.mlir.constant(3 : i32) : i32
    %q = llvm.getelementptr %p[%c] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %b, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}
