// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -settle-scan-layouts | FileCheck %s

// CHECK-DAG: #[[MMA:.*]] = #ttg.nvidia_mma
// CHECK-DAG: #[[BLOCKED:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
// CHECK-DAG: #[[FOUR:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 8]}>
#fine = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func public @matrix
  // CHECK: %[[X:.*]] = ttg.convert_layout %arg0 : tensor<32x16xf32, #[[MMA]]> -> tensor<32x16xf32, #[[BLOCKED]]>
  // CHECK: %[[S:.*]] = "tt.scan"(%[[X]])
  // CHECK: ttg.convert_layout %[[S]] : tensor<32x16xf32, #[[BLOCKED]]> -> tensor<32x16xf32, #[[MMA]]>
  tt.func public @matrix(%x: tensor<32x16xf32, #mma>) -> tensor<32x16xf32, #mma> {
    %r = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.scan.return %s : f32
    }) : (tensor<32x16xf32, #mma>) -> tensor<32x16xf32, #mma>
    tt.return %r : tensor<32x16xf32, #mma>
  }

  // CHECK-LABEL: tt.func public @stays
  // CHECK-NOT: ttg.convert_layout
  tt.func public @stays(%x: tensor<32x16xf32, #fine>) -> tensor<32x16xf32, #fine> {
    %r = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.scan.return %s : f32
    }) : (tensor<32x16xf32, #fine>) -> tensor<32x16xf32, #fine>
    tt.return %r : tensor<32x16xf32, #fine>
  }

  // Packs of four: a thread of #fine holds two neighbors.
  // CHECK-LABEL: tt.func public @packs
  // CHECK: %[[P:.*]] = ttg.convert_layout %arg0 : tensor<32x16xf32, #{{.*}}> -> tensor<32x16xf32, #[[FOUR]]>
  // CHECK: "tt.map_elementwise"(%[[P]])
  // CHECK: ttg.convert_layout
  tt.func public @packs(%x: tensor<32x16xf32, #fine>) -> tensor<32x16xf32, #fine> {
    %r = "tt.map_elementwise"(%x) <{pack = 4 : i32}> ({
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
      tt.map_elementwise.return %d, %c, %b, %a : f32, f32, f32, f32
    }) : (tensor<32x16xf32, #fine>) -> tensor<32x16xf32, #fine>
    tt.return %r : tensor<32x16xf32, #fine>
  }

  // CHECK-LABEL: tt.func public @pairs
  // CHECK-NOT: ttg.convert_layout
  tt.func public @pairs(%x: tensor<32x16xf32, #fine>) -> tensor<32x16xf32, #fine> {
    %r = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      tt.map_elementwise.return %b, %a : f32, f32
    }) : (tensor<32x16xf32, #fine>) -> tensor<32x16xf32, #fine>
    tt.return %r : tensor<32x16xf32, #fine>
  }
}
