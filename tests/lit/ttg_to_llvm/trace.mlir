// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -convert-ttg-to-llvm | FileCheck %s
// RUN: tilescope-opt %s | tilescope-opt | FileCheck %s --check-prefix=TEXT

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// TEXT: trace.scope 1 "load" "tt.load" queue 1 starts 1
// TEXT-NEXT: trace.scope 2 "wait" "tt.load" queue 1 leaves 0
// TEXT: %[[W:.*]] = trace.open programs [5, 9] warps [0, 2] records 256
// TEXT: trace.mark %[[W]] ends 1 begins 2
// TEXT: trace.mark %[[W]] ends 2 after %{{.*}} : tensor<128xf32, #blocked>
// TEXT: trace.close %[[W]]
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  trace.scope 1 "load" "tt.load" queue 1 starts 1
  trace.scope 2 "wait" "tt.load" queue 1 leaves 0
  // CHECK-LABEL: llvm.func @k
  // What was written so far is a local variable of the first block.
  // CHECK: %[[WRITTEN:.*]] = llvm.alloca
  // Programs 5 and 9 are parts 0 and 1, each of two warps with 64 + 256 * 8 bytes.
  // CHECK: nvvm.read.ptx.sreg.tid.x
  // CHECK-DAG: llvm.mlir.constant(5 : i64)
  // CHECK-DAG: llvm.mlir.constant(9 : i64)
  // CHECK-DAG: llvm.mlir.constant(2112 : i64)
  // CHECK: llvm.cond_br
  // CHECK: mov.u32 place, %smid
  // CHECK-SAME: %globaltimer
  // CHECK-SAME: %clock64
  // A mark has no branch, and its place wraps at 256 records.
  // CHECK: %[[OFFSET:.*]] = llvm.load %[[WRITTEN]]
  // CHECK: llvm.mlir.constant(2047 : i32)
  // CHECK: llvm.mlir.constant(1 : i32)
  // CHECK: llvm.inline_asm has_side_effects {{.*}}mov.u32 now, %clock;
  // CHECK-SAME: @$0 st.global.v2.b32 [$1+64], {now, $2};
  // CHECK-NOT: llvm.cond_br
  // CHECK: ld.global
  // Scope 1 ends, and 2 begins.
  // CHECK: llvm.mlir.constant(65538 : i32)
  // CHECK: llvm.inline_asm has_side_effects {{.*}}mov.u32 now, %clock;
  // The store in front of the read needs the value.
  // CHECK: llvm.mlir.constant(131072 : i32)
  // CHECK: llvm.inline_asm has_side_effects {{.*}}@$0 st.global.b32 [$3+48], $4;
  // CHECK-SAME: mov.u32 now, %clock;
  // CHECK: llvm.cond_br
  // CHECK: st.global.b32 [$0+40], $1;
  tt.func public @k(%p: tensor<128x!tt.ptr<f32>, #blocked>) {
    %w = trace.open programs [5, 9] warps [0, 2] records 256
    trace.mark %w begins 1
    %a = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    trace.mark %w ends 1 begins 2
    trace.mark %w ends 2 after %a : tensor<128xf32, #blocked>
    trace.close %w
    tt.return
  }
}
