// RUN: tilescope-opt %s --split-input-file --tilescope-convert-tt-to-ttg="num-warps=8 target=cuda:80" | FileCheck %s

// CHECK: #[[LINE:.+]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32}
// CHECK-LABEL: @retype
tt.func public @retype(%p: !tt.ptr<f32>, %n: i32) {
  // CHECK: arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32, #[[LINE]]>
  %table = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  // CHECK: tt.make_range {{.*}} : tensor<64xi32, #[[LINE]]>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.for {{.*}} -> (tensor<64xi32, #[[LINE]]>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (tensor<64xi32>) : i32 {
    %b = arith.addi %a, %r : tensor<64xi32>
    scf.yield %b : tensor<64xi32>
  }
  tt.return
}

// -----

// CHECK-DAG: #[[LINE:.+]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK-DAG: #[[TILE:.+]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
// CHECK-LABEL: @reduce
tt.func public @reduce(%x: tensor<16x64xf32>) -> tensor<16xf32> {
  // CHECK: (tensor<16x64xf32, #[[TILE]]>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #[[TILE]]}>>
  // CHECK-NEXT: ttg.convert_layout %{{.*}} -> tensor<16xf32, #[[LINE]]>
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<16x64xf32>) -> tensor<16xf32>
  tt.return %r : tensor<16xf32>
}

// -----

// CHECK-LABEL: @shapes
// CHECK-SAME: %[[X:.+]]: tensor<16xf32, #[[LINE:.+]]>
tt.func public @shapes(%x: tensor<16xf32>) -> tensor<16x64xf32> {
  // CHECK: %[[S:.+]] = ttg.convert_layout %[[X]] : {{.*}} -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #[[COLUMN:.+]]}>>
  // CHECK: %[[E:.+]] = tt.expand_dims %[[S]] {{.*}} -> tensor<16x1xf32, #[[COLUMN]]>
  %e = tt.expand_dims %x {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
  // CHECK: %[[C:.+]] = ttg.convert_layout %[[E]] : {{.*}} -> tensor<16x1xf32, #[[TILE:.+]]>
  // CHECK: tt.broadcast %[[C]] : tensor<16x1xf32, #[[TILE]]> -> tensor<16x64xf32, #[[TILE]]>
  %b = tt.broadcast %e : tensor<16x1xf32> -> tensor<16x64xf32>
  // CHECK: tt.trans
  // CHECK-NEXT: ttg.convert_layout
  %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<16x64xf32> -> tensor<64x16xf32>
  // CHECK: tt.reshape
  %r = tt.reshape %t : tensor<64x16xf32> -> tensor<16x64xf32>
  // CHECK: tt.join
  %j = tt.join %r, %r : tensor<16x64xf32> -> tensor<16x64x2xf32>
  // CHECK: tt.split
  %l, %h = tt.split %j : tensor<16x64x2xf32> -> tensor<16x64xf32>
  tt.return %l : tensor<16x64xf32>
}

// -----

// CHECK: #[[DOT:.+]] = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
// CHECK-LABEL: @dot
tt.func public @dot(%a: tensor<32x16xf16>, %b: tensor<16x32xf16>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // CHECK: tt.dot %{{.*}} : tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #[[DOT]]}>> * tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #[[DOT]]}>> -> tensor<32x32xf32, #[[DOT]]>
  %d = tt.dot %a, %b, %c : tensor<32x16xf16> * tensor<16x32xf16> -> tensor<32x32xf32>
  tt.return %d : tensor<32x32xf32>
}

// -----

// Fewer elements than threads: a thread holds one of each operand, and two of the result.
// CHECK-DAG: #[[LINE:.+]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK-DAG: #[[TWO:.+]] = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK-LABEL: @cat
tt.func public @cat(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<128xf32> {
  // CHECK: tt.cat %{{.*}} : tensor<64xf32, #[[LINE]]> -> tensor<128xf32, #[[TWO]]>
  // CHECK: ttg.convert_layout %{{.*}} -> tensor<128xf32, #[[LINE]]>
  %c = tt.cat %a, %b : tensor<64xf32> -> tensor<128xf32>
  tt.return %c : tensor<128xf32>
}
