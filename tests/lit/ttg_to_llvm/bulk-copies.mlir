// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --allocate-global-scratch --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Descriptors are passed by value. Rows of 128 elements are wider than what is swizzled: two boxes.
  // The hardware takes the fastest coordinate first.
  // CHECK-LABEL: llvm.func @load
  // CHECK-SAME: llvm.byval = !llvm.array<128 x i8>
  // CHECK-SAME: nvvm.grid_constant
  // CHECK: "@$0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"
  // CHECK: %[[HALF:.*]] = llvm.mlir.constant(64 : i32)
  // CHECK: llvm.add %{{.*}}, %[[HALF]]
  // CHECK: cp.async.bulk.tensor.2d.shared::cluster
  // CHECK-NOT: cp.async.bulk.tensor.2d.shared::cluster
  // CHECK: llvm.return
  tt.func public @load(%desc: !tt.tensordesc<tensor<64x128xf16, #shared>>, %i: i32, %j: i32, %pred: i1) {
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %desc[%i, %j] %buffer, %bar, %pred : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    tt.return
  }

  // Of images, all 64 pixels come with one instruction, and 64 channels: two boxes, of which only the channel differs.
  // CHECK-LABEL: llvm.func @images
  // CHECK-SAME: llvm.byval = !llvm.array<128 x i8>
  // CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4, $5, $6}], [$7], {$8, $9};", "b,r,l,r,r,r,r,r,h,h"
  // CHECK: %[[HALF:.*]] = llvm.mlir.constant(64 : i32)
  // CHECK: %[[NEXT:.*]] = llvm.add %{{.*}}, %[[HALF]]
  // CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.im2col
  // CHECK-SAME: %{{.*}}, %{{.*}}, %{{.*}}, %[[NEXT]], %
  // CHECK-NOT: cp.async.bulk.tensor.4d
  // CHECK: llvm.return
  tt.func public @images(%desc: !ttng.tensordesc_im2col<tensor<64x128xf16, #shared>>, %i: i32, %o: i16, %pred: i1) {
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %desc[%i, %i, %i, %i] offsets = [%o, %o] %buffer, %bar, %pred : !ttng.tensordesc_im2col<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    tt.return
  }

  // What threads wrote is fenced, and all meet, before one thread sends it; they meet again before
  // the place is used anew. Whether the copies have read, or also written, is waited for as asked.
  // CHECK-LABEL: llvm.func @store
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$2, {$3, $4}], [$1];
  // CHECK: nvvm.cp.async.bulk.commit.group
  // CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
  // CHECK: nvvm.cp.async.bulk.wait_group 0
  // CHECK-NOT: read
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: llvm.store
  tt.func public @store(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32) {
    %x = arith.constant dense<1.0> : tensor<64x64xf16, #blocked>
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.local_store %x, %buffer : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_local_to_global %desc[%i, %i] %buffer : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 1 : i32, read_only}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttg.local_store %x, %buffer : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: llvm.func @reduce
  // CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group
  tt.func public @reduce(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32) {
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_reduce add, %desc[%i, %i] %buffer : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }

  // A description that the kernel writes: in scratch of its own, in global memory.
  // CHECK-LABEL: llvm.func @describe
  // CHECK: tensormap.replace.tile.global_address.shared::cta.b1024.b64 [$0], $1;
  // CHECK: tensormap.replace.tile.rank.shared::cta.b1024.b32 [$0], 0;
  // CHECK: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$0], 0, $1;
  // CHECK: tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [$0], 3;
  // CHECK: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: nvvm.fence.proxy.acquire
  tt.func public @describe(%base: !tt.ptr<f16>, %n: i32) {
    %one = arith.constant 1 : i32
    %box = arith.constant 64 : i32
    %place = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %place, %base, [%box], [%n], [], [%one] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %place : !tt.ptr<i8>
    tt.return
  }
}
