// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -allocate-shared-memory -insert-shared-barriers | FileCheck %s
// RUN: tilescope-opt %s -split-input-file -allocate-shared-memory -insert-shared-barriers -convert-ttg-to-llvm | FileCheck %s --check-prefix=LLVM

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory

// CHECK: ttg.shared = 512 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The buffer is written and read with a barrier between; the reduction's scratch takes its place later,
  // after another barrier.
  // CHECK-LABEL: @reuse
  // CHECK: ttg.local_alloc {{.*}}allocation.offset = 0 : i32
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: "tt.reduce"
  // CHECK: allocation.offset = 0 : i32
  // LLVM-LABEL: llvm.func @reuse
  // LLVM: llvm.store {{.*}} !llvm.ptr<3>
  // LLVM: llvm.nvvm.barrier.cta.sync.aligned.all
  // LLVM: llvm.load {{.*}} !llvm.ptr<3>
  // LLVM-COUNT-5: llvm.nvvm.shfl.sync.bfly.i32
  // LLVM: llvm.nvvm.barrier.cta.sync.aligned.all
  // LLVM: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xf32>
  tt.func public @reuse(%x: !tt.ptr<f32>) {
    %c = arith.constant dense<1.0> : tensor<128xf32, #blocked>
    %m = ttg.local_alloc %c : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
    %v = ttg.local_load %m : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %sum = arith.addf %l, %r : f32
      tt.reduce.return %sum : f32
    }) : (tensor<128xf32, #blocked>) -> f32
    tt.store %x, %s : !tt.ptr<f32>
    tt.return
  }
}

// -----

// Partial results of each operand begin where they can be read 16 bytes at a time: the numbers take 8 bytes,
// the indices begin at 16.
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: ttg.shared = 32 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // LLVM-LABEL: llvm.func @pairs
  // LLVM: llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<4xi16>
  // LLVM: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  tt.func public @pairs(%x: !tt.ptr<i32>) {
    %v = arith.constant dense<1> : tensor<128xi16, #blocked1>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #blocked1>
    %r:2 = "tt.reduce"(%v, %i) <{axis = 0 : i32}> ({
    ^bb0(%a: i16, %j: i32, %b: i16, %k: i32):
      %s = arith.addi %a, %b : i16
      %t = arith.addi %j, %k : i32
      tt.reduce.return %s, %t : i16, i32
    }) : (tensor<128xi16, #blocked1>, tensor<128xi32, #blocked1>) -> (i16, i32)
    tt.store %x, %r#1 : !tt.ptr<i32>
    tt.return
  }
}
