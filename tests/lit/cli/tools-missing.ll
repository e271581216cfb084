; Without an assembler everything up to PTX is there, and the note says what provides the rest.
; RUN: env TILESCOPE_PTXAS=none TILESCOPE_NVJITLINK=none tilescope compile %s --json 2>&1 | FileCheck %s
; RUN: env TILESCOPE_PTXAS=none TILESCOPE_NVJITLINK=none tilescope compile %s --emit cubin 2>&1; test $? = 3

; CHECK: note: no machine code: no assembler was found
; CHECK: CUDA Toolkit
; CHECK: "ok": true
define ptx_kernel void @k(ptr addrspace(1) %p) {
  ret void
}
