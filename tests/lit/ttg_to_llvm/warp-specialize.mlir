// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --loops-to-branches --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
// CHECK: module attributes {{.*}}"ttg.total-num-warps" = 8 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // 4 warps of the kernel, 2 and 1 of the partitions, and one that fills up the group of 4.
  // CHECK-LABEL: llvm.func @groups
  // CHECK-SAME: nvvm.maxnreg = 248 : i32
  // CHECK-SAME: nvvm.reqntid = array<i32: 256>
  // The kernel's own warps go ahead: captures, number 0, meet.
  // CHECK: llvm.cond_br %{{.*}}, ^[[MAIN:bb[0-9]+]], ^[[WAIT:bb[0-9]+]]
  // CHECK: ^[[WAIT]]:
  // CHECK: llvm.nvvm.barrier.cta.sync.all
  // CHECK: llvm.switch
  // CHECK-NEXT: 0:
  // The default region meets as 128 threads, the partition of two warps as 64, that of one as a warp.
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.count
  // CHECK: nvvm.setmaxregister
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.count
  // CHECK: llvm.nvvm.bar.warp.sync
  tt.func public @groups(%p: !tt.ptr<i32>, %n: i32) {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %bar, 2 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttg.warp_specialize(%bar, %p, %n) attributes {requestedRegisters = array<i32: 32, 24>}
    default {
      %zero = arith.constant 0 : i32
      ttng.wait_barrier %bar, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
      ttg.barrier local
      ttg.warp_yield
    }
    partition0(%b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %q: !tt.ptr<i32>, %m: i32) num_warps(2) {
      %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #two>
      %s = tt.splat %q : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #two>
      %a = tt.addptr %s, %r : tensor<64x!tt.ptr<i32>, #two>, tensor<64xi32, #two>
      tt.store %a, %r : tensor<64x!tt.ptr<i32>, #two>
      ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
      ttg.warp_return
    }
    partition1(%b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %q: !tt.ptr<i32>, %m: i32) num_warps(1) {
      ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
      ttg.warp_return
    } : (!ttg.memdesc<1xi64, #bar, #smem, mutable>, !tt.ptr<i32>, i32) -> ()
    tt.return
  }
}
