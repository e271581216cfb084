// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -convert-ttg-to-llvm | FileCheck %s
// RUN: tilescope-opt %s | tilescope-opt | FileCheck %s --check-prefix=TEXT

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// TEXT: trace.scope 1 "load" "tt.load" queue 1 starts 1
// TEXT-NEXT: trace.scope 2 "wait" "tt.load" queue 1 leaves 0
// TEXT: %[[W:.*]] = trace.open programs [5, 9] warps [0, 2] records 256
// TEXT: %[[C0:.*]] = trace.clock %[[W]]
// TEXT: %[[C2:.*]] = trace.clock %[[W]] after %{{.*}} : tensor<128xf32, #blocked>
// TEXT: trace.record %[[W]] begins 1 at %[[C0]], ends 1 begins 2 at %{{.*}}, ends 2 at %[[C2]]
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
  // CHECK: %[[C0:.*]] = llvm.inline_asm has_side_effects {{.*}}mov.u32 $0, %clock;
  // CHECK: ld.global
  // CHECK: %[[C1:.*]] = llvm.inline_asm has_side_effects {{.*}}mov.u32 $0, %clock;
  // The store in front of the read needs the value.
  // CHECK: %[[C2:.*]] = llvm.inline_asm has_side_effects {{.*}}@$1 st.global.b32 [$2+48], $3;
  // CHECK-SAME: mov.u32 $0, %clock;
  // A record has no branch, and its place wraps at 256 marks of 8 bytes.
  // CHECK: %[[OFFSET:.*]] = llvm.load %[[WRITTEN]]
  // CHECK: llvm.mlir.constant(2047 : i32)
  // Ends 0, begins 1, another begins at the second clock, and there are three: 1 << 14 | 1 << 28 | 2 << 30.
  // CHECK: %[[WORD:.*]] = llvm.mlir.constant(-1879031808 : i32)
  // CHECK: llvm.inline_asm has_side_effects {{.*}}@$0 st.global.v4.b32 [$1+64], {$2, $3, $4, $5}
  // CHECK-SAME: %[[WORD]], %[[C0]], %[[C1]], %[[C2]]
  // CHECK: llvm.mlir.constant(16 : i32)
  // CHECK: llvm.store {{.*}}, %[[WRITTEN]]
  // CHECK: llvm.cond_br
  // CHECK: st.global.b32 [$0+40], $1;
  tt.func public @k(%p: tensor<128x!tt.ptr<f32>, #blocked>) {
    %w = trace.open programs [5, 9] warps [0, 2] records 256
    %c0 = trace.clock %w
    %a = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    %c1 = trace.clock %w
    %c2 = trace.clock %w after %a : tensor<128xf32, #blocked>
    trace.record %w begins 1 at %c0, ends 1 begins 2 at %c1, ends 2 at %c2
    trace.close %w
    tt.return
  }
}
