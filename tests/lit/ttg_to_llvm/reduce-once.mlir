// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -allocate-shared-memory -convert-ttg-to-llvm | FileCheck %s

#columns = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [8, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Each thread has eight columns, of which eight warps have partial results: one thread adds those of a column.
  // CHECK-LABEL: llvm.func @once
  // CHECK: barrier
  // CHECK: llvm.icmp "ult"
  // CHECK: llvm.cond_br
  // CHECK-COUNT-2: llvm.load {{.*}} -> vector<4xf32>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.store {{.*}} : f32
  // CHECK: barrier
  // CHECK-COUNT-8: llvm.load {{.*}} -> f32
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  tt.func public @once(%x: tensor<64x32xf32, #columns>) -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #columns}>> {
    %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<64x32xf32, #columns>) -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #columns}>>
    tt.return %r : tensor<32xf32, #ttg.slice<{dim = 0, parent = #columns}>>
  }

  // Of four columns each thread adds the partial results itself.
  // CHECK-LABEL: llvm.func @each
  // CHECK: barrier
  // CHECK-COUNT-8: llvm.load {{.*}} -> vector<4xf32>
  // CHECK-NOT: barrier
  // CHECK: llvm.return
  tt.func public @each(%x: tensor<8x128xf32, #wide>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #wide}>> {
    %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<8x128xf32, #wide>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #wide}>>
    tt.return %r : tensor<128xf32, #ttg.slice<{dim = 0, parent = #wide}>>
  }
}
