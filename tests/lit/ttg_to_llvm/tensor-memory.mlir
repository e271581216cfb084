// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --split-input-file --allocate-shared-memory --allocate-tensor-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#strip = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = [[16, 0], [32, 0]], block = []}>
#narrow = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
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
    // CHECK: nvvm.tcgen05.fence <after>
    // CHECK: @$0 tcgen05.st.sync.aligned.32x32b.x64.b32 [$1], {$2, $3,
    // CHECK: nvvm.tcgen05.wait <store>
    // CHECK: nvvm.tcgen05.fence <before>
    ttng.tmem_store %x, %d, %p : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // What threads wrote to shared memory is fenced, and they meet, before one thread multiplies.
    // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    // CHECK: nvvm.barrier
    // CHECK: nvvm.elect.sync
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
    // Columns 32 to 63; the largest of each row is found in registers.
    // CHECK: %[[RIGHT:.*]] = llvm.mlir.constant(32 : i32)
    // CHECK: llvm.add %{{.*}}, %[[RIGHT]]
    // CHECK: tcgen05.ld.sync.aligned.32x32b.x32.b32
    // CHECK-COUNT-31: llvm.maximum.f32
    // CHECK-NOT: llvm.maximum.f32
    // CHECK: llvm.store
    %right = ttng.tmem_subslice %d {offset = 32 : i32, dim = 1 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    %v, %m = ttng.tmem_load %right {redOp = #ttng.redOp<max>, NaN = true} : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64> -> tensor<128x32xf32, #narrow>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #narrow}>>
    %kept = ttg.local_alloc %m : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #narrow}>>) -> !ttg.memdesc<128xf32, #bar, #smem>
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

  // The second 128 rows are in the columns behind those of the first.
  // CHECK-LABEL: llvm.func @rows
  // CHECK: %[[DOWN:.*]] = llvm.mlir.constant(64 : i32)
  // CHECK: llvm.add %{{.*}}, %[[DOWN]]
  // CHECK: tcgen05.st.sync.aligned.32x32b.x64.b32
  // CHECK: nvvm.tcgen05.wait <store>
  tt.func public @rows(%x: tensor<128x64xf32, #linear>, %p: i1) {
    %d = ttng.tmem_alloc : () -> !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %s = ttng.tmem_subslice %d {offset = 128 : i32, dim = 0 : i32} : !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 256x64>
    ttng.tmem_store %x, %s, %p : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 256x64>
    ttng.tmem_wait store
    tt.return
  }
}

// -----

#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#s = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}, alignment = 128>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
// 128 columns of results, four of each factor's scales.
// CHECK: ttg.tensor_memory_size = 256 : i32
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  // Scales in shared memory are copied on the way to the product.
  // CHECK-LABEL: llvm.func @scales
  // CHECK: @$0 tcgen05.cp.cta_group::1.warpx4.32x128b [$1], $2;
  // CHECK: @$0 tcgen05.cp.cta_group::1.warpx4.32x128b [$1], $2;
  // CHECK: @$0 tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale
  tt.func public @scales(%p: i1) {
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>
    %s = ttg.local_alloc : () -> !ttg.memdesc<128x4xi8, #s, #smem, mutable>
    %d = ttng.tmem_alloc : () -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma_scaled %a, %a, %d, %s, %s, %p, %p lhs = e4m3 rhs = e4m3 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #s, #smem, mutable>, !ttg.memdesc<128x4xi8, #s, #smem, mutable>
    tt.return
  }
}
