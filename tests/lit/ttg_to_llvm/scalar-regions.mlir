// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -settle-scan-layouts -loops-to-branches -allocate-shared-memory -convert-ttg-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A branch in a combining function becomes blocks at each of its uses: one for the two registers, five for the lanes.
  // CHECK-LABEL: llvm.func @branch
  // CHECK-COUNT-6: llvm.cond_br
  // CHECK-NOT: llvm.cond_br
  // CHECK: llvm.return
  tt.func public @branch(%x: tensor<64xf32, #blocked>) {
    %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %less = arith.cmpf olt, %a, %b : f32
      %c = scf.if %less -> (f32) {
        %s = arith.addf %a, %b : f32
        scf.yield %s : f32
      } else {
        scf.yield %a : f32
      }
      tt.reduce.return %c : f32
    }) : (tensor<64xf32, #blocked>) -> f32
    tt.return
  }

  // Loops too: the header decides, the body goes back to it.
  // CHECK-LABEL: llvm.func @loop
  // CHECK: llvm.br ^[[HEADER:bb[0-9]+]](
  // CHECK: ^[[HEADER]](%[[I:.*]]: i32, %[[V:.*]]: f32):
  // CHECK: llvm.icmp "slt" %[[I]]
  // CHECK: llvm.cond_br {{.*}}(%[[V]] : f32)
  // CHECK: llvm.fmul %[[V]]
  // CHECK: llvm.br ^[[HEADER]](
  tt.func public @loop(%x: tensor<64xf32, #blocked>, %n: i32) {
    %r = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %p = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> (f32) : i32 {
        %m = arith.mulf %v, %b : f32
        scf.yield %m : f32
      }
      tt.map_elementwise.return %p, %b : f32, f32
    }) : (tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked>
    tt.return
  }

  // The layout of a matrix product walks a column in another order than a scan: it gets a blocked one.
  // CHECK-LABEL: llvm.func @scan
  // CHECK: llvm.nvvm.shfl.sync.up
  // CHECK: llvm.return
  tt.func public @scan(%x: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %r = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.scan.return %s : f32
    }) : (tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma>
    tt.return %r : tensor<16x16xf32, #mma>
  }
}
