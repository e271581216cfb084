// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -allocate-shared-memory -allocate-tensor-memory -insert-shared-barriers | FileCheck %s

// One case for each kind of access: who accesses, by which path, and what tells that it is over.

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<128xf32, #shared, #smem, mutable>
!value = !ttg.memdesc<128xf32, #shared, #smem>
!block = tensor<128xf32, #blocked>
!indices = tensor<128xi32, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Loads and stores of all threads: reads may follow reads.
  // CHECK-LABEL: @loads_and_stores
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: tt.return
  tt.func public @loads_and_stores(%x: !block) {
    %m = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : !block -> !buffer
    %y = ttg.local_load %m : !buffer -> !block
    %z = ttg.local_load %m : !buffer -> !block
    ttg.local_store %y, %m : !block -> !buffer
    tt.return
  }

  // An immutable buffer is a value without memory effects, but lies in memory.
  // CHECK-LABEL: @immutable
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: tt.return
  tt.func public @immutable(%x: !block) {
    %m = ttg.local_alloc %x : (!block) -> !value
    %y = ttg.local_load %m : !value -> !block
    tt.return
  }

  // CHECK-LABEL: @indexed
  // CHECK: ttg.local_scatter
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_gather
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_atomic_scatter_rmw
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_gather
  tt.func public @indexed(%x: !block, %i: !indices) {
    %m = ttg.local_alloc : () -> !buffer
    ttg.local_scatter %m[%i], %x {axis = 0 : i32} : !buffer, !indices, !block
    %y = ttg.local_gather %m[%i] {axis = 0 : i32} : !buffer, !indices -> !block
    %o = ttg.local_atomic_scatter_rmw fadd, %m[%i], %y {axis = 0 : i32} : (!buffer, !block, !indices) -> !block
    %z = ttg.local_gather %m[%i] {axis = 0 : i32} : !buffer, !indices -> !block
    tt.return
  }

  // A select may be either buffer.
  // CHECK-LABEL: @select
  // CHECK: ttg.local_store
  // CHECK-NEXT: arith.select
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  tt.func public @select(%x: !block, %c: i1) {
    %m = ttg.local_alloc : () -> !buffer
    %n = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : !block -> !buffer
    %either = arith.select %c, %n, %m : !buffer
    %y = ttg.local_load %either : !buffer -> !block
    ttg.local_store %y, %n : !block -> !buffer
    tt.return
  }

  // What an iteration has read, the next one overwrites; and buffers are handed on by branches.
  // CHECK-LABEL: @loop
  // CHECK: ^bb1
  // CHECK: cf.cond_br
  // CHECK: ^bb2:
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK: ^bb3
  tt.func public @loop(%x: !block, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = ttg.local_alloc : () -> !buffer
    cf.br ^head(%zero, %first : i32, !buffer)
  ^head(%i: i32, %m: !buffer):
    %more = arith.cmpi slt, %i, %n : i32
    cf.cond_br %more, ^body, ^end
  ^body:
    ttg.local_store %x, %m : !block -> !buffer
    %y = ttg.local_load %m : !buffer -> !block
    %next = arith.addi %i, %one : i32
    cf.br ^head(%next, %m : i32, !buffer)
  ^end:
    tt.return
  }

  // Each thread waits for its own copies, so all meet behind the wait, and not once more before they read. Who fills
  // a place that others read meets them first.
  // CHECK-LABEL: @copies
  // CHECK: ttg.async_copy_global_to_local
  // CHECK-NEXT: ttg.async_commit_group
  // CHECK-NEXT: ttg.async_wait
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.async_copy_global_to_local
  // CHECK-NEXT: tt.return
  tt.func public @copies(%p: tensor<128x!tt.ptr<f32>, #blocked>) {
    %m = ttg.local_alloc : () -> !buffer
    %t = ttg.async_copy_global_to_local %p, %m : tensor<128x!tt.ptr<f32>, #blocked> -> <128xf32, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    %w = ttg.async_wait %g {num = 0 : i32}
    %y = ttg.local_load %m token %w : !buffer -> !block
    %u = ttg.async_copy_global_to_local %p, %m : tensor<128x!tt.ptr<f32>, #blocked> -> <128xf32, #shared, #smem, mutable>
    tt.return
  }

  // A function may do anything with the buffers that it gets.
  // CHECK-LABEL: @call
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: tt.call
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  tt.func public @call(%x: !block) {
    %m = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : !block -> !buffer
    tt.call @use(%m) : (!buffer) -> ()
    %y = ttg.local_load %m : !buffer -> !block
    tt.return
  }
  tt.func private @use(%m: !buffer) {
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!factor = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!block = tensor<64x64xf16, #blocked>
!sum = tensor<64x64xf32, #mma>
!desc = !tt.tensordesc<tensor<64x64xf16, #shared>>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two products under way. The first wait leaves one of them, whose factor no barrier frees: the program waits for
  // it before it is overwritten. Behind the waits the factors count as read by other warps.
  // CHECK-LABEL: @products
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.warp_group_dot
  // CHECK-NEXT: ttng.warp_group_dot
  // CHECK-NEXT: ttng.warp_group_dot_wait {{.*}}pendings = 1
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttng.warp_group_dot_wait {{.*}}pendings = 0
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: tt.return
  tt.func public @products(%x: !block, %zero: !sum) {
    %a = ttg.local_alloc : () -> !factor
    %b = ttg.local_alloc : () -> !factor
    ttg.local_store %x, %a : !block -> !factor
    ttg.local_store %x, %b : !block -> !factor
    ttng.fence_async_shared {bCluster = false}
    %d = ttng.warp_group_dot %a, %a, %zero {isAsync = true} : !factor * !factor -> !sum
    %e = ttng.warp_group_dot %b, %b, %zero {isAsync = true} : !factor * !factor -> !sum
    %v = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
    ttg.local_store %x, %a : !block -> !factor
    %w = ttng.warp_group_dot_wait %e {pendings = 0 : i32} : !sum
    ttg.local_store %x, %b : !block -> !factor
    tt.return
  }

  // A synchronous product has read its factor; other warps may still.
  // CHECK-LABEL: @product
  // CHECK: ttng.warp_group_dot
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  tt.func public @product(%x: !block, %zero: !sum) {
    %a = ttg.local_alloc : () -> !factor
    %d = ttng.warp_group_dot %a, %a, %zero : !factor * !factor -> !sum
    ttg.local_store %x, %a : !block -> !factor
    tt.return
  }

  // One thread makes the barrier, begins its phase and starts the copy: nothing is needed in between. Others use the
  // barrier only when it is there; it tells of the copy, so they read at once; and the next phase begins, and the
  // next copy starts, when all have read.
  // CHECK-LABEL: @fill
  // CHECK: ttng.init_barrier
  // CHECK-NEXT: ttng.barrier_expect
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  // CHECK-NEXT: ttng.wait_barrier
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.barrier_expect
  // CHECK-NEXT: ttng.async_tma_copy_global_to_local
  // CHECK-NEXT: ttng.wait_barrier
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.inval_barrier
  // CHECK-NEXT: tt.return
  tt.func public @fill(%d: !desc, %i: i32, %true: i1, %x: !block) {
    %m = ttg.local_alloc : () -> !factor
    %bar = ttg.local_alloc : () -> !bar
    ttg.local_store %x, %m : !block -> !factor
    ttng.init_barrier %bar, 1 : !bar
    ttng.barrier_expect %bar, 8192, %true : !bar
    ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %bar, %true : !desc, !bar -> !factor
    ttng.wait_barrier %bar, %i : !bar
    %y = ttg.local_load %m : !factor -> !block
    ttng.barrier_expect %bar, 8192, %true : !bar
    ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %bar, %true : !desc, !bar -> !factor
    ttng.wait_barrier %bar, %i : !bar
    ttng.inval_barrier %bar : !bar
    tt.return
  }

  // CHECK-LABEL: @made
  // CHECK: ttng.init_barrier
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.async_copy_mbarrier_arrive
  // CHECK-NEXT: ttng.wait_barrier
  // CHECK-NEXT: tt.return
  tt.func public @made(%i: i32) {
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 128 : !bar
    ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !bar
    ttng.wait_barrier %bar, %i : !bar
    tt.return
  }

  // Several threads gather, which must know the barrier.
  // CHECK-LABEL: @gather
  // CHECK: ttng.init_barrier
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.async_tma_gather
  tt.func public @gather(%d: !tt.tensordesc<tensor<1x64xf16, #shared>>, %rows: tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>}>>, %i: i32, %true: i1) {
    %m = ttg.local_alloc : () -> !factor
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    ttng.async_tma_gather %d[%rows, %i] %m, %bar, %true : !tt.tensordesc<tensor<1x64xf16, #shared>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>}>>, i32, !bar, !factor, i1
    tt.return
  }

  // What threads wrote is fenced, and they meet, before one of them sends it. It also waits alone: a barrier is needed
  // before the place is used anew, also where copies are left under way.
  // CHECK-LABEL: @send
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.async_tma_copy_local_to_global
  // CHECK-NEXT: ttng.async_tma_reduce
  // CHECK-NEXT: ttng.async_tma_store_wait
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttng.async_tma_store_wait
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: tt.return
  tt.func public @send(%d: !desc, %i: i32, %x: !block) {
    %m = ttg.local_alloc : () -> !factor
    ttg.local_store %x, %m : !block -> !factor
    ttng.async_tma_copy_local_to_global %d[%i, %i] %m : !desc, !factor
    ttng.async_tma_reduce add, %d[%i, %i] %m : !desc, !factor
    ttng.async_tma_store_wait {pendings = 1 : i32, read_only}
    ttg.local_store %x, %m : !block -> !factor
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttg.local_store %x, %m : !block -> !factor
    tt.return
  }

  // The first thread arrives on behalf of all, which must have come as far; once is enough.
  // CHECK-LABEL: @arrive
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.arrive_barrier
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.arrive_barrier
  // CHECK-NEXT: ttg.async_wait
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.arrive_barrier
  // CHECK-NEXT: tt.return
  tt.func public @arrive() {
    %bar = ttg.local_alloc : () -> !bar
    ttng.arrive_barrier %bar, 1 : !bar
    ttg.barrier local
    ttng.arrive_barrier %bar, 1 : !bar
    %w = ttg.async_wait {num = 0 : i32}
    ttng.arrive_barrier %bar, 1 : !bar
    tt.return
  }

  // Bulk copies of one group of warps send what others wrote, before or in their own group.
  // CHECK-LABEL: @groups
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.warp_specialize
  // CHECK: partition0
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.async_tma_copy_local_to_global
  // CHECK-NEXT: ttg.warp_return
  // CHECK: }
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.async_tma_copy_local_to_global
  tt.func public @groups(%d: !desc, %i: i32, %x: !block) {
    %m = ttg.local_alloc : () -> !factor
    ttg.local_store %x, %m : !block -> !factor
    ttg.warp_specialize(%m, %d, %i)
    default {
      ttg.warp_yield
    }
    partition0(%n: !factor, %e: !desc, %j: i32) num_warps(4) {
      ttng.async_tma_copy_local_to_global %e[%j, %j] %n : !desc, !factor
      ttg.warp_return
    } : (!factor, !desc, i32) -> ()
    ttng.async_tma_copy_local_to_global %d[%i, %i] %m : !desc, !factor
    tt.return
  }
}

// -----

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!left = !ttg.memdesc<128x64xf16, #a, #smem, mutable>
!right = !ttg.memdesc<64x64xf16, #a, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!answer = !ttg.memdesc<2xi64, #bar, #smem, mutable>
!tensor = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!block = tensor<128x64xf32, #linear>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Tensor memory is watched as shared memory is, apart from it, and without fences. A product goes on until a barrier
  // object tells of its end, and those who wait there read at once.
  // CHECK-LABEL: @tensor_memory
  // CHECK: ttng.tmem_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.tc_gen5_mma
  // CHECK-NEXT: ttng.tc_gen5_commit
  // CHECK-NEXT: ttng.wait_barrier
  // CHECK-NEXT: ttng.tmem_load
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.tmem_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.tmem_load
  // CHECK-NEXT: tt.return
  tt.func public @tensor_memory(%a: !left, %b: !right, %x: !block, %true: i1, %i: i32) {
    %d = ttng.tmem_alloc : () -> !tensor
    %bar = ttg.local_alloc : () -> !bar
    ttng.tmem_store %x, %d, %true : !block -> !tensor
    ttng.tc_gen5_mma %a, %b, %d, %true, %true {is_async} : !left, !right, !tensor
    ttng.tc_gen5_commit %bar, %true : !bar
    ttng.wait_barrier %bar, %i : !bar
    %y = ttng.tmem_load %d : !tensor -> !block
    ttng.tmem_store %y, %d, %true : !block -> !tensor
    %z = ttng.tmem_load %d : !tensor -> !block
    tt.return
  }

  // Factors that threads wrote are fenced; barriers that a product tells must be there.
  // CHECK-LABEL: @factors
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.tc_gen5_mma
  // CHECK-NEXT: ttng.init_barrier
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.tc_gen5_mma
  tt.func public @factors(%a: !left, %x: tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>, %true: i1) {
    %d = ttng.tmem_alloc : () -> !tensor
    %b = ttg.local_alloc : () -> !right
    %bar = ttg.local_alloc : () -> !bar
    ttg.local_store %x, %b : tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>> -> !right
    ttng.tc_gen5_mma %a, %b, %d, %true, %true {is_async} : !left, !right, !tensor
    ttng.init_barrier %bar, 1 : !bar
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async} : !left, !right, !tensor, !bar
    tt.return
  }

  // The answer is written past the threads; who overwrites it meets its readers.
  // CHECK-LABEL: @launch_control
  // CHECK: ttng.clc_try_cancel
  // CHECK-NEXT: ttng.wait_barrier
  // CHECK-NEXT: ttng.clc_load_result
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.clc_try_cancel
  tt.func public @launch_control(%i: i32) {
    %answer = ttg.local_alloc : () -> !answer
    %bar = ttg.local_alloc : () -> !bar
    ttng.clc_try_cancel %answer, %bar : !answer, !bar
    ttng.wait_barrier %bar, %i : !bar
    %r = ttng.clc_load_result %answer : !answer -> i128
    ttng.clc_try_cancel %answer, %bar : !answer, !bar
    tt.return
  }
}
