; RUN: tilescope compile %s --emit ptx --target cuda:80 | FileCheck %s
; RUN: rm -rf %t && tilescope compile %s --emit llir,ptx --out %t && ls %t | FileCheck %s --check-prefix=FILES
; RUN: tilescope compile %s --emit ptx --json | FileCheck %s --check-prefix=JSON

; CHECK: .target sm_80
; CHECK: .visible .entry k(
; CHECK: llvm-ir.ll:[[@LINE+8]]:3
; CHECK-NEXT: add
; FILES: k.llir
; FILES: k.ptx
; JSON: "kernel": "k"
; JSON: "ok": true
; JSON: "stages": [
define ptx_kernel void @k(ptr addrspace(1) %p, float %a) {
  %s = fadd float %a, 1.0
  store float %s, ptr addrspace(1) %p
  ret void
}
