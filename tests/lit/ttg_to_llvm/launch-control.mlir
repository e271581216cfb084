// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // One thread asks, once the barrier is there; all read the answer after they have waited, and meet before the next
  // question overwrites it.
  // CHECK-LABEL: llvm.func @next
  // CHECK: mbarrier.init
  // CHECK: llvm.cond_br %{{[0-9]+}}, ^[[ASK:bb[0-9]+]]
  // CHECK: ^[[ASK]]:
  // CHECK-NEXT: nvvm.clusterlaunchcontrol.try.cancel %{{.*}}, %{{.*}}
  // CHECK: mbarrier.try_wait.parity
  // CHECK: %[[ANSWER:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> i128
  // CHECK: nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %[[ANSWER]] : i1
  // CHECK: nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %[[ANSWER]] : i32
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: nvvm.clusterlaunchcontrol.try.cancel
  tt.func public @next(%p: !tt.ptr<i32>, %zero: i32, %true: i1) {
    %answer = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #bar, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %bar, 16, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.clc_try_cancel %answer, %bar : !ttg.memdesc<2xi64, #bar, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.wait_barrier %bar, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %a = ttng.clc_load_result %answer : !ttg.memdesc<2xi64, #bar, #smem, mutable> -> i128
    %c = ttng.clc_is_canceled %a : i128 -> i1
    %i = ttng.clc_get_program_id %a, x : i128 -> i32
    %r = arith.select %c, %i, %zero : i32
    tt.store %p, %r : !tt.ptr<i32>
    ttng.clc_try_cancel %answer, %bar : !ttg.memdesc<2xi64, #bar, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.wait_barrier %bar, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }

  // The threads of a cluster of one block meet as the block's do; once is enough.
  // CHECK-LABEL: llvm.func @meet
  // CHECK-COUNT-2: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK-NOT: llvm.nvvm.barrier
  // CHECK: llvm.return
  tt.func public @meet() {
    ttng.cluster_barrier {relaxed = true}
    ttng.cluster_arrive
    ttng.cluster_wait
    tt.return
  }
}
