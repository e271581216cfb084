// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: @masks
// CHECK: %[[A:.*]] = tt.load %arg0 :
// CHECK: tt.store %arg0, %[[A]] :
// CHECK-NOT: tt.store
// CHECK: tt.return %[[A]], %arg1 :
tt.func public @masks(%p: tensor<8x!tt.ptr<f32>>, %other: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %on = arith.constant dense<true> : tensor<8xi1>
  %off = arith.constant dense<false> : tensor<8xi1>
  %a = tt.load %p, %on, %other : tensor<8x!tt.ptr<f32>>
  %b = tt.load %p, %off, %other : tensor<8x!tt.ptr<f32>>
  tt.store %p, %a, %on : tensor<8x!tt.ptr<f32>>
  tt.store %p, %a, %off : tensor<8x!tt.ptr<f32>>
  tt.return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// -----
// CHECK-LABEL: @masked_off_without_other
// CHECK: ub.poison : tensor<8xf32>
tt.func public @masked_off_without_other(%p: tensor<8x!tt.ptr<f32>>) -> tensor<8xf32> {
  %off = arith.constant false
  %mask = tt.splat %off : i1 -> tensor<8xi1>
  %a = tt.load %p, %mask : tensor<8x!tt.ptr<f32>>
  tt.return %a : tensor<8xf32>
}

// -----
// CHECK-LABEL: @moving_splats
// CHECK: %[[S:.*]] = tt.splat %arg0 : f32 -> tensor<4x16xf32>
// CHECK: tt.return %[[S]]
tt.func public @moving_splats(%x: f32) -> tensor<4x16xf32> {
  %0 = tt.splat %x : f32 -> tensor<4xf32>
  %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<4xf32> -> tensor<1x4xf32>
  %2 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<1x4xf32> -> tensor<4x1xf32>
  %3 = tt.broadcast %2 : tensor<4x1xf32> -> tensor<4x16xf32>
  tt.return %3 : tensor<4x16xf32>
}

// -----
// CHECK-LABEL: @constants
// CHECK-DAG: arith.constant dense<3> : tensor<1xi32>
// CHECK-DAG: arith.constant dense<2.000000e+00> : tensor<2x8xf32>
// CHECK-DAG: arith.constant dense<1.500000e+00> : tensor<4xf8E5M2>
tt.func public @constants() -> (tensor<1xi32>, tensor<2x8xf32>, tensor<4xf8E5M2>) {
  %0 = tt.make_range {end = 4 : i32, start = 3 : i32} : tensor<1xi32>
  %two = arith.constant 2.0 : f32
  %1 = tt.splat %two : f32 -> tensor<16xf32>
  %2 = tt.reshape %1 : tensor<16xf32> -> tensor<2x8xf32>
  %c = arith.constant dense<1.6> : tensor<4xf32>
  %3 = tt.fp_to_fp %c, rounding = rtne : tensor<4xf32> -> tensor<4xf8E5M2>
  tt.return %0, %2, %3 : tensor<1xi32>, tensor<2x8xf32>, tensor<4xf8E5M2>
}

// -----
// CHECK-LABEL: @trans_of_trans
// CHECK-NEXT: tt.return %arg0
tt.func public @trans_of_trans(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = tt.trans %x {order = array<i32: 2, 0, 1>} : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  %1 = tt.trans %0 {order = array<i32: 1, 2, 0>} : tensor<8x2x4xf32> -> tensor<2x4x8xf32>
  tt.return %1 : tensor<2x4x8xf32>
}

// -----
// CHECK-LABEL: @reshape_of_reshape
// CHECK: %[[R:.*]] = tt.reshape %arg0 : tensor<2x4x8xf32> -> tensor<16x4xf32>
// CHECK: tt.return %[[R]], %arg0
tt.func public @reshape_of_reshape(%x: tensor<2x4x8xf32>) -> (tensor<16x4xf32>, tensor<2x4x8xf32>) {
  %0 = tt.reshape %x : tensor<2x4x8xf32> -> tensor<64xf32>
  %1 = tt.reshape %0 : tensor<64xf32> -> tensor<16x4xf32>
  %2 = tt.reshape %0 : tensor<64xf32> -> tensor<2x4x8xf32>
  tt.return %1, %2 : tensor<16x4xf32>, tensor<2x4x8xf32>
}

// -----
// CHECK-LABEL: @identities
// CHECK-NEXT: tt.return %arg0, %arg0, %arg1, %arg2, %arg2
tt.func public @identities(%x: tensor<8xf32>, %p: !tt.ptr<f32>, %i: i64) -> (tensor<8xf32>, tensor<8xf32>, !tt.ptr<f32>, i64, i64) {
  %0 = tt.bitcast %x : tensor<8xf32> -> tensor<8xi32>
  %1 = tt.bitcast %0 : tensor<8xi32> -> tensor<8xf32>
  %2 = tt.broadcast %x : tensor<8xf32> -> tensor<8xf32>
  %zero = arith.constant 0 : i32
  %3 = tt.addptr %p, %zero : !tt.ptr<f32>, i32
  %4 = tt.int_to_ptr %i : i64 -> !tt.ptr<f32>
  %5 = tt.ptr_to_int %4 : !tt.ptr<f32> -> i64
  tt.return %1, %2, %3, %5, %i : tensor<8xf32>, tensor<8xf32>, !tt.ptr<f32>, i64, i64
}

// -----
// CHECK-LABEL: @join_split
// CHECK-NEXT: tt.return %arg0, %arg1, %arg2
tt.func public @join_split(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x2xf32>) {
  %0 = tt.join %a, %b : tensor<8xf32> -> tensor<8x2xf32>
  %1, %2 = tt.split %0 : tensor<8x2xf32> -> tensor<8xf32>
  %3, %4 = tt.split %c : tensor<8x2xf32> -> tensor<8xf32>
  %5 = tt.join %3, %4 : tensor<8xf32> -> tensor<8x2xf32>
  tt.return %1, %2, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8x2xf32>
}
