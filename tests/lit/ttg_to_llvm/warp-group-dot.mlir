// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm --canonicalize --cse --split-input-file | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What threads stored is fenced, and all of them meet, before the product reads it. The first factor lies along K
  // (8 rows take 1024 bytes, so 64 in the field from bit 32), the second across; the swizzle's code is 1.
  // CHECK-LABEL: llvm.func @synchronous
  // CHECK-DAG: [[ALONG:%.*]] = llvm.mlir.constant(4611686293305294848 : i64)
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // CHECK: llvm.nvvm.barrier.cta.sync{{.*}}all
  // CHECK: llvm.ptrtoint
  // CHECK: llvm.inline_asm has_side_effects
  // CHECK-SAME: wgmma.fence.sync.aligned;
  // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1,
  // CHECK-SAME: $31}, $32, $33, 0, 1, 1, 0, 1;
  // CHECK-SAME: $31}, $34, $35, 1, 1, 1, 0, 1;
  // CHECK-SAME: wgmma.commit_group.sync.aligned;
  // CHECK-SAME: wgmma.wait_group.sync.aligned 0;
  // CHECK-SAME: =&f,{{.*}},l,l,l,l
  tt.func public @synchronous(%x: tensor<64x64xf16, #blocked>, %p: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %a = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    %d = ttng.warp_group_dot %a, %a, %zero : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    tt.store %p, %d : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A product under way: its sums are operands, tied to its results; those pass through the wait. Code that overwrites
  // a factor behind the wait meets the other warps first.
  // CHECK-LABEL: llvm.func @asynchronous
  // CHECK: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, {$17, $18, $19, $20}, $21, $16, 1, 1, 1;
  // CHECK-NOT: wait_group
  // CHECK-SAME: =&f,{{.*}},0,1,2,3,4,5,6,7,b,r,r,r,r,l
  // CHECK: wgmma.wait_group.sync.aligned 0;", "=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,0,1,2,3,4,5,6,7"
  // CHECK: llvm.nvvm.barrier.cta.sync{{.*}}all
  // CHECK: @$0 st.shared
  tt.func public @asynchronous(%x: tensor<64x16xf16, #left>, %y: tensor<16x16xf16, #blocked>, %c: tensor<64x16xf32, #mma>, %use: i1, %p: tensor<64x16x!tt.ptr<f32>, #mma>) {
    %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    ttg.local_store %y, %b : tensor<16x16xf16, #blocked> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    %d = ttng.warp_group_dot %x, %b, %c, %use {isAsync = true} : tensor<64x16xf16, #left> * !ttg.memdesc<16x16xf16, #shared, #smem, mutable> -> tensor<64x16xf32, #mma>
    %w:2 = ttng.warp_group_dot_wait %d, %b {pendings = 0 : i32} : tensor<64x16xf32, #mma>, !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    ttg.local_store %y, %w#1 : tensor<16x16xf16, #blocked> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    tt.store %p, %w#0 : tensor<64x16x!tt.ptr<f32>, #mma>
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 32]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Sums of 32 steps are added up one by one.
  // CHECK-LABEL: llvm.func @parts
  // CHECK: wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, 0, 1, 1;
  // CHECK-SAME: wgmma.wait_group.sync.aligned 0;
  // CHECK-COUNT-4: llvm.fadd
  // CHECK: wgmma.mma_async
  // CHECK-COUNT-4: llvm.fadd
  tt.func public @parts(%x: tensor<64x64xf8E4M3FN, #left>, %b: !ttg.memdesc<64x8xf8E4M3FN, #shared, #smem>, %c: tensor<64x8xf32, #mma>, %p: tensor<64x8x!tt.ptr<f32>, #mma>) {
    %d = ttng.warp_group_dot %x, %b, %c {maxNumImpreciseAcc = 32 : i32} : tensor<64x64xf8E4M3FN, #left> * !ttg.memdesc<64x8xf8E4M3FN, #shared, #smem> -> tensor<64x8xf32, #mma>
    tt.store %p, %d : tensor<64x8x!tt.ptr<f32>, #mma>
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A left factor in registers that lies as the instruction takes it, whatever its layout is called.
  // CHECK-LABEL: llvm.func @linear
  // CHECK: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{.*}}, {$8, $9, $10, $11}, $12,
  tt.func public @linear(%a: tensor<64x16xf16, #linear>, %p: tensor<64x16x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %y = arith.addf %a, %a : tensor<64x16xf16, #linear>
    %x = arith.constant dense<1.0> : tensor<16x16xf16, #blocked>
    %b = ttg.local_alloc %x : (tensor<16x16xf16, #blocked>) -> !ttg.memdesc<16x16xf16, #shared, #smem>
    %d = ttng.warp_group_dot %y, %b, %zero : tensor<64x16xf16, #linear> * !ttg.memdesc<16x16xf16, #shared, #smem> -> tensor<64x16xf32, #mma>
    tt.store %p, %d : tensor<64x16x!tt.ptr<f32>, #mma>
    tt.return
  }
}
