// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -allocate-shared-memory -insert-shared-barriers -convert-ttg-to-llvm --mlir-print-debuginfo | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Aligned and contiguous: one access of 16 bytes; what is masked off reads zero.
  // CHECK-LABEL: llvm.func @vectorized
  // CHECK-SAME: nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128>
  // CHECK: mov.b32 $0, 0x0;
  // CHECK-SAME: @$4 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $5 + 0 ];
  // CHECK-SAME: loc([[LOAD:#loc[0-9]*]])
  // CHECK: @$0 st.global.v4.b32 [ $1 + 0 ], { $2, $3, $4, $5 };
  // CHECK: [[LOAD]] = loc("k.py":3:8)
  tt.func public @vectorized(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %limit = tt.splat %n : i32 -> tensor<512xi32, #blocked>
    %mask = arith.cmpi slt, %r, %limit : tensor<512xi32, #blocked>
    %base = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %base, %r : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %v = tt.load %p, %mask : tensor<512x!tt.ptr<f32>, #blocked> loc("k.py":3:8)
    tt.store %p, %v, %mask : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
