// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -allocate-shared-memory -insert-shared-barriers -convert-ttg-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#wide = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // K is contiguous for the left factor, and lies across rows for the right one.
  // CHECK-LABEL: llvm.func @product
  // CHECK-NOT: nvvm.minctasm
  // CHECK-COUNT-2: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
  // CHECK-COUNT-4: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4
  // CHECK-COUNT-8: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  // CHECK-NOT: mma.sync
  tt.func public @product(%out: tensor<16x32x!tt.ptr<f32>, #mma>, %x: tensor<16x32xf16, #blocked>, %y: tensor<32x32xf16, #blocked>) {
    %zero = arith.constant dense<0.0> : tensor<16x32xf32, #mma>
    %mx = ttg.local_alloc %x : (tensor<16x32xf16, #blocked>) -> !ttg.memdesc<16x32xf16, #swizzled, #smem>
    %my = ttg.local_alloc %y : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #swizzled, #smem>
    %a = ttg.local_load %mx : !ttg.memdesc<16x32xf16, #swizzled, #smem> -> tensor<16x32xf16, #a>
    %b = ttg.local_load %my : !ttg.memdesc<32x32xf16, #swizzled, #smem> -> tensor<32x32xf16, #b>
    %d = tt.dot %a, %b, %zero : tensor<16x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<16x32xf32, #mma>
    tt.store %out, %d : tensor<16x32x!tt.ptr<f32>, #mma>
    tt.return
  }

  // Lanes that hold four neighbors are not what the instruction hands out along a row.
  // CHECK-LABEL: llvm.func @four_neighbours
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK: llvm.load {{.*}} -> vector<4xf16>
  tt.func public @four_neighbours(%out: tensor<16x32x!tt.ptr<f16>, #wide>, %x: tensor<16x32xf16, #blocked>) {
    %m = ttg.local_alloc %x : (tensor<16x32xf16, #blocked>) -> !ttg.memdesc<16x32xf16, #swizzled, #smem>
    %a = ttg.local_load %m : !ttg.memdesc<16x32xf16, #swizzled, #smem> -> tensor<16x32xf16, #wide>
    tt.store %out, %a : tensor<16x32x!tt.ptr<f16>, #wide>
    tt.return
  }
}
