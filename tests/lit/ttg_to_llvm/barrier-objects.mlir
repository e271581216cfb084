// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // One thread makes, arms and ends a barrier; all wait. Nobody waits before it was made, and it
  // ends when all have passed.
  // CHECK-LABEL: llvm.func @life
  // CHECK: mbarrier.init.shared::cta.b64 [$1], 1;
  // CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 4096;
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;
  // CHECK-SAME: "r,r"
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: mbarrier.inval.shared::cta.b64 [$1];
  tt.func public @life(%phase: i32, %armed: i1) {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %bar, 4096, %armed : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }

  // An arrival stands for all threads, so they meet before it. A wait may be skipped.
  // CHECK-LABEL: llvm.func @arrive
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: mbarrier.arrive.shared::cta.b64 _, [$1], 2;
  // CHECK: @!$2 bra.uni skip;
  // CHECK-SAME: "r,r,b"
  tt.func public @arrive(%phase: i32, %pred: i1) {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.arrive_barrier %bar, 2, %pred : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.wait_barrier %bar, %phase, %pred : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: llvm.func @copies
  // CHECK: nvvm.cp.async.mbarrier.arrive %{{.*}} {noinc = true} : !llvm.ptr<3>
  tt.func public @copies() {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }
}
