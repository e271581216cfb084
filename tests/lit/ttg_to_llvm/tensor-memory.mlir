// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --allocate-shared-memory --allocate-tensor-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#strip = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = [[16, 0], [32, 0]], block = []}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem64 = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
#half = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>
// The stack's 128 columns serve the two buffers that come after it, too.
// CHECK: module attributes {{.*}}ttg.tensor_memory_size = 128 : i32
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: llvm.func @product
  // CHECK: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 128;
  // CHECK: nvvm.barrier
  // CHECK: llvm.load {{.*}} -> i32
  // CHECK: tcgen05.relinquish_alloc_permit
  tt.func public @product(%x: tensor<128x64xf32, #linear>, %y: tensor<64x64xf32, #strip>, %z: tensor<128x64xf16, #linear>, %l: tensor<128x64xf16, #linear>, %p: i1) {
    %a = ttg.local_alloc %l : (tensor<128x64xf16, #linear>) -> !ttg.memdesc<128x64xf16, #a, #smem>
    %b = ttg.memdesc_subslice %a[0, 0] : !ttg.memdesc<128x64xf16, #a, #smem> -> !ttg.memdesc<64x64xf16, #a, #smem, 128x64>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %s = ttng.tmem_alloc : () -> !ttg.memdesc<2x128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %d = ttg.memdesc_index %s[%one] : !ttg.memdesc<2x128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: tcgen05.fence::after_thread_sync
    // CHECK: @$0 tcgen05.st.sync.aligned.32x32b.x64.b32 [$1], {$2, $3,
    // CHECK: tcgen05.wait::st.sync.aligned
    // CHECK: tcgen05.fence::before_thread_sync
    ttng.tmem_store %x, %d, %p : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // What threads wrote to shared memory is fenced, and they meet, before one thread multiplies.
    // CHECK: fence.proxy.async.shared::cta
    // CHECK: nvvm.barrier
    // CHECK: llvm.nvvm.elect.sync
    // 128 rows, 64 columns, sums of 32 bits; the right factor lies across: 1 << 27 | 1 << 20 | 1 << 16 | 1 << 4.
    // CHECK: llvm.mlir.constant(135331856 : i32)
    // CHECK: @$0 tcgen05.mma.cta_group::1.kind::f16 [$1], $2, $3, $4, $5;
    // CHECK-COUNT-3: @$0 tcgen05.mma.cta_group::1.kind::f16
    // CHECK: @$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];
    ttng.tc_gen5_mma %a, %b, %d, %p, %true, %bar[%true] {is_async} : !ttg.memdesc<128x64xf16, #a, #smem>, !ttg.memdesc<64x64xf16, #a, #smem, 128x64>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: mbarrier.try_wait.parity
    ttng.wait_barrier %bar, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: tcgen05.ld.sync.aligned.32x32b.x64.b32 {$0, $1,{{.*}}}, [$64];\0A\09tcgen05.wait::ld.sync.aligned;
    %r = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
    %e = ttng.tmem_alloc : () -> !ttg.memdesc<64x64xf32, #tmem64, #ttng.tensor_memory, mutable>
    // CHECK: tcgen05.st.sync.aligned.16x32bx2.x32.b32 [$1], 32, {$2,
    ttng.tmem_store %y, %e, %true : tensor<64x64xf32, #strip> -> !ttg.memdesc<64x64xf32, #tmem64, #ttng.tensor_memory, mutable>
    // Each value of 16 bits has a word.
    // CHECK: tcgen05.st.sync.aligned.32x32b.x64.b32
    %f = ttng.tmem_alloc %z : (tensor<128x64xf16, #linear>) -> !ttg.memdesc<128x64xf16, #half, #ttng.tensor_memory>
    // CHECK: tcgen05.ld.sync.aligned.16x32bx2.x32.b32 {$0,{{.*}}}, [$32], 32;
    %q = ttng.tmem_load %e : !ttg.memdesc<64x64xf32, #tmem64, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #strip>
    // CHECK: nvvm.barrier
    // CHECK: tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 128;
    tt.return
  }
}
