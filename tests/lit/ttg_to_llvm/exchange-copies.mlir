// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -allocate-shared-memory -convert-ttg-to-llvm | FileCheck %s

#long = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #long}>
#lines = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Sixteen lanes and four warps hold the same elements. One of them stores each, without a branch: what comes before stays in one
  // basic block with what follows.
  // CHECK-LABEL: llvm.func @copies
  // CHECK-NOT: llvm.cond_br
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
  // CHECK-NOT: llvm.cond_br
  // CHECK-COUNT-16: llvm.inline_asm has_side_effects {{.*}}"@$0 st.shared.v4.b32 [$1], { $2, $3, $4, $5 };", "b,r,r,r,r,r" %[[FIRST]],
  // CHECK-NOT: llvm.cond_br
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  tt.func public @copies(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %from = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #rows>
    %block = tt.load %from : tensor<128x!tt.ptr<f32>, #rows>
    %moved = ttg.convert_layout %block : tensor<128xf32, #rows> -> tensor<128xf32, #lines>
    %to = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #lines>
    tt.store %to, %moved : tensor<128x!tt.ptr<f32>, #lines>
    tt.return
  }
}
