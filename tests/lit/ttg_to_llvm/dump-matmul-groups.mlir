// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --loops-to-branches --allocate-global-scratch --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s
// A product for which a warp of its own loads: the others release slots, it fills them.
// CHECK: "ttg.total-num-warps" = 8
// CHECK-LABEL: llvm.func @mm_ws
// CHECK: mbarrier.try_wait.parity
// CHECK: wgmma.mma_async
// CHECK: mbarrier.arrive.shared::cta.b64
// CHECK: mbarrier.try_wait.parity
// CHECK: mbarrier.arrive.expect_tx
// CHECK-COUNT-3: cp.async.bulk.tensor.2d.shared::cluster

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm_ws(%a: !tt.tensordesc<tensor<128x64xf16, #shared>>, %a_0: i32, %a_1: i32, %a_2: i64, %a_3: i64, %b: !tt.tensordesc<tensor<64x128xf16, #shared>>, %b_4: i32, %b_5: i32, %b_6: i64, %b_7: i64, %c: !tt.tensordesc<tensor<128x128xf16, #shared>>, %c_8: i32, %c_9: i32, %c_10: i64, %c_11: i64, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %pm = tt.get_program_id x : i32
    %pn = tt.get_program_id y : i32
    %x = arith.muli %pm, %c128 : i32
    %y = arith.muli %pn, %c128 : i32
    %as = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
    %bs = ttg.local_alloc : () -> !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable>
    %full = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %empty = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %f0 = ttg.memdesc_index %full[%c0] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %f0, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %f1 = ttg.memdesc_index %full[%c1] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %f1, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %e0 = ttg.memdesc_index %empty[%c0] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %e0, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %e1 = ttg.memdesc_index %empty[%c1] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %e1, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %acc = ttg.warp_specialize(%full, %empty, %as, %bs, %a, %b, %x, %y, %k) attributes {requestedRegisters = array<i32: 24>}
    default {
      %r:3 = scf.for %i = %c0 to %k step %c64 iter_args(%d = %cst, %slot = %c0, %phase = %c0) -> (tensor<128x128xf32, #mma>, i32, i32)  : i32 {
        %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        ttng.wait_barrier %f, %phase : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %aa = ttg.memdesc_index %as[%slot] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %bb = ttg.memdesc_index %bs[%slot] : !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
        %p = ttng.warp_group_dot %aa, %bb, %d {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
        %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        ttng.arrive_barrier %e, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %next = arith.addi %slot, %c1 : i32
        %wrap = arith.cmpi eq, %next, %c2 : i32
        %slot2 = arith.select %wrap, %c0, %next : i32
        %flip = arith.xori %phase, %c1 : i32
        %phase2 = arith.select %wrap, %flip, %phase : i32
        scf.yield %p, %slot2, %phase2 : tensor<128x128xf32, #mma>, i32, i32
      }
      ttg.warp_yield %r#0 : tensor<128x128xf32, #mma>
    }
    partition0(%pf: !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>, %pe: !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>, %pa: !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, %pb: !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable>, %da: !tt.tensordesc<tensor<128x64xf16, #shared>>, %db: !tt.tensordesc<tensor<64x128xf16, #shared>>, %px: i32, %py: i32, %pk: i32) num_warps(1) {
      %t = arith.constant true
      %z = arith.constant 0 : i32
      %o = arith.constant 1 : i32
      %w = arith.constant 2 : i32
      %s = arith.constant 64 : i32
      %r:2 = scf.for %i = %z to %pk step %s iter_args(%slot = %z, %phase = %o) -> (i32, i32)  : i32 {
        %e = ttg.memdesc_index %pe[%slot] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        ttng.wait_barrier %e, %phase : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %f = ttg.memdesc_index %pf[%slot] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        ttng.barrier_expect %f, 32768, %t : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %aa = ttg.memdesc_index %pa[%slot] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %bb = ttg.memdesc_index %pb[%slot] : !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %da[%px, %i] %aa, %f, %t : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %db[%i, %py] %bb, %f, %t : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
        %next = arith.addi %slot, %o : i32
        %wrap = arith.cmpi eq, %next, %w : i32
        %slot2 = arith.select %wrap, %z, %next : i32
        %flip = arith.xori %phase, %o : i32
        %phase2 = arith.select %wrap, %flip, %phase : i32
        scf.yield %slot2, %phase2 : i32, i32
      }
      ttg.warp_return
    } : (!ttg.memdesc<2x1xi64, #shared1, #smem, mutable>, !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>, !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable>, !tt.tensordesc<tensor<128x64xf16, #shared>>, !tt.tensordesc<tensor<64x128xf16, #shared>>, i32, i32, i32) -> tensor<128x128xf32, #mma>
    ttng.inval_barrier %f0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %f1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %e0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %e1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %h = arith.truncf %acc : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    %out = ttg.local_alloc %h : (tensor<128x128xf16, #mma>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %c[%x, %y] %out : !tt.tensordesc<tensor<128x128xf16, #shared>>, !ttg.memdesc<128x128xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
