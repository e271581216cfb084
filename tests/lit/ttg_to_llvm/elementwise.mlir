// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -convert-ttg-to-llvm | FileCheck %s

#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#bytes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
#vector = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
#halves = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // Different values in a constant come from a table, by the thread's position.
  // CHECK-DAG: llvm.mlir.global internal constant @constant_0(dense<{{.*}}> : tensor<4xi32>) {addr_space = 1 : i32
  // CHECK-LABEL: llvm.func @constant
  // CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @constant_0
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[TABLE]]
  // CHECK: llvm.load %[[PLACE]] {{.*}} -> i32
  tt.func public @constant() -> tensor<4xi32, #one> {
    %c = arith.constant dense<[1, 20, 300, 4000]> : tensor<4xi32, #one>
    tt.return %c : tensor<4xi32, #one>
  }

  // No instruction of compute capability 8.0 converts e4m3: integer arithmetic does.
  // CHECK-LABEL: llvm.func @fp8
  // CHECK: llvm.intr.umin
  // CHECK-NOT: e4m3x2
  // CHECK: llvm.return
  tt.func public @fp8(%x: tensor<32xf32, #one>) -> tensor<32xf32, #one> {
    %c = tt.fp_to_fp %x, rounding = rtne : tensor<32xf32, #one> -> tensor<32xf8E4M3FN, #one>
    %r = tt.fp_to_fp %c : tensor<32xf8E4M3FN, #one> -> tensor<32xf32, #one>
    tt.return %r : tensor<32xf32, #one>
  }

  // The low half of a byte comes first.
  // CHECK-LABEL: llvm.func @fp4
  // CHECK-SAME: (%[[BYTE:[a-z0-9]+]]: i8
  // CHECK: llvm.zext %[[BYTE]] : i8 to i16
  // CHECK: llvm.fmul {{.*}} : bf16
  // CHECK: %[[HIGH:.*]] = llvm.lshr %[[BYTE]]
  // CHECK: llvm.zext %[[HIGH]] : i8 to i16
  // CHECK: llvm.fmul {{.*}} : bf16
  tt.func public @fp4(%x: tensor<32x1xi8, #bytes>) -> tensor<32x2xbf16, #halves> {
    %r = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x1xi8, #bytes> -> tensor<32x2xbf16, #halves>
    tt.return %r : tensor<32x2xbf16, #halves>
  }

  // Four signed bytes become halves at once: 1152 = 0x6480 more than they are, then less that.
  // CHECK-LABEL: llvm.func @bytes_to_halves
  // CHECK: %[[BYTES:.*]] = llvm.bitcast %{{.*}} : vector<4xi8> to i32
  // CHECK: %[[FLIPPED:.*]] = llvm.xor %[[BYTES]]
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.prmt"(%[[FLIPPED]]
  // CHECK-COUNT-2: llvm.fsub %{{.*}} : vector<2xf16>
  // CHECK-NOT: llvm.sitofp
  // CHECK: llvm.return
  tt.func public @bytes_to_halves(%x: tensor<32x4xi8, #four>) -> tensor<32x4xf16, #four> {
    %r = arith.sitofp %x : tensor<32x4xi8, #four> to tensor<32x4xf16, #four>
    tt.return %r : tensor<32x4xf16, #four>
  }

  // With `%n` divisible by 16, aligned runs of 16 elements are on one side of it: registers that differ only inside such a
  // run share their result.
  // CHECK-LABEL: llvm.func @equal_masks
  // CHECK-COUNT-1: llvm.icmp "slt"
  // CHECK-NOT: llvm.icmp
  // CHECK: llvm.return
  tt.func public @equal_masks(%n: i32 {tt.divisibility = 16 : i32}) -> tensor<128xi1, #vector> {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #vector>
    %end = tt.splat %n : i32 -> tensor<128xi32, #vector>
    %mask = arith.cmpi slt, %range, %end : tensor<128xi32, #vector>
    tt.return %mask : tensor<128xi1, #vector>
  }

  // Without that, each has its own.
  // CHECK-LABEL: llvm.func @own_masks
  // CHECK-COUNT-4: llvm.icmp "slt"
  // CHECK: llvm.return
  tt.func public @own_masks(%n: i32) -> tensor<128xi1, #vector> {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #vector>
    %end = tt.splat %n : i32 -> tensor<128xi32, #vector>
    %mask = arith.cmpi slt, %range, %end : tensor<128xi32, #vector>
    tt.return %mask : tensor<128xi1, #vector>
  }
}
