@memory = addrspace(3) global [16 x i32] zeroinitializer
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, <2 x half> %h) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %q
  %w = call i32 asm "add.s32 $0, $1, 7;", "=r.sreg.tid.x()
  br label %loop
loop,r"(i32 %v)
  store i32 %w, ptr addrspace(1) %q
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  %e = extractelement <2 x half> %h, i32 1
  store half %e, ptr addrspace(1) %p
  ret void
}
