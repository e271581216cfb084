// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -allocate-shared-memory -convert-ttg-to-llvm | FileCheck %s

#lanes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#warps = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [1, 0]}>

// CHECK: ttg.shared = 2048
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A row is eight lanes of a warp: each asks the one that has its element.
  // CHECK-LABEL: llvm.func @lanes
  // CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32"
  // CHECK-NOT: shfl
  // CHECK-NOT: !llvm.ptr<3>
  // CHECK-NOT: barrier
  // CHECK: llvm.return
  tt.func public @lanes(%x: tensor<16x8xf16, #lanes>, %i: tensor<16x8xi32, #lanes>) -> tensor<16x8xf16, #lanes> {
    %r = tt.gather %x[%i] {axis = 1 : i32} : (tensor<16x8xf16, #lanes>, tensor<16x8xi32, #lanes>) -> tensor<16x8xf16, #lanes>
    tt.return %r : tensor<16x8xf16, #lanes>
  }

  // Each lane has two elements of a row, so two are asked for, and one is taken.
  // CHECK-LABEL: llvm.func @pairs
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32"
  // CHECK: llvm.select
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32"
  // CHECK: llvm.select
  // CHECK-NOT: !llvm.ptr<3>
  // CHECK: llvm.return
  tt.func public @pairs(%x: tensor<32x8xf32, #pairs>, %i: tensor<32x8xi16, #pairs>) -> tensor<32x8xf32, #pairs> {
    %r = tt.gather %x[%i] {axis = 1 : i32} : (tensor<32x8xf32, #pairs>, tensor<32x8xi16, #pairs>) -> tensor<32x8xf32, #pairs>
    tt.return %r : tensor<32x8xf32, #pairs>
  }

  // Several warps have a row.
  // CHECK-LABEL: llvm.func @warps
  // CHECK-NOT: shfl
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: llvm.load {{.*}} !llvm.ptr<3>
  // CHECK: llvm.return
  tt.func public @warps(%x: tensor<16x32xf32, #warps>, %i: tensor<16x32xi32, #warps>) -> tensor<16x32xf32, #warps> {
    %r = tt.gather %x[%i] {axis = 1 : i32} : (tensor<16x32xf32, #warps>, tensor<16x32xi32, #warps>) -> tensor<16x32xf32, #warps>
    tt.return %r : tensor<16x32xf32, #warps>
  }
}
