// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-rewrite-tensor-pointer --canonicalize --cse | FileCheck %s

// A block pointer that a loop moves along its rows: only the offset changes.
// CHECK-LABEL: tt.func public @rows
// CHECK-NOT: tensor_ptr
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x32xf16>
// CHECK: scf.for %{{.*}} iter_args(%[[ROW:.*]] = %c0_i32) -> (i32)
// CHECK: %[[START:.*]] = arith.extsi %[[ROW]] : i32 to i64
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, {{.*}} : tensor<16x1xi64>
// CHECK: %[[INSIDE:.*]] = arith.andi {{.*}} : tensor<16x1xi1>
// CHECK: %[[MASK:.*]] = tt.broadcast %[[INSIDE]] : tensor<16x1xi1> -> tensor<16x32xi1>
// CHECK: %[[POINTERS:.*]] = tt.addptr {{.*}} : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
// CHECK: %[[V:.*]] = tt.load %[[POINTERS]], %[[MASK]], %[[ZERO]]
// CHECK: tt.store %[[POINTERS]], %[[V]] : tensor<16x32x!tt.ptr<f16>>
// CHECK: arith.addi %[[ROW]], %c16_i32 : i32
tt.func public @rows(%p: !tt.ptr<f16>, %m: i64, %n: i64, %count: i32) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %b = tt.make_tensor_ptr %p, [%m, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %e = scf.for %i = %c0 to %count step %c1 iter_args(%q = %b) -> (!tt.ptr<tensor<16x32xf16>>) : i32 {
    %v = tt.load %q {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf16>>
    tt.store %q, %v : !tt.ptr<tensor<16x32xf16>>
    %next = tt.advance %q, [%c16, %c0] : <tensor<16x32xf16>>
    scf.yield %next : !tt.ptr<tensor<16x32xf16>>
  }
  tt.return
}

// Both dimensions are checked, and NaN is read outside.
// CHECK-LABEL: tt.func public @padded
// CHECK-DAG: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<8x8xf32>
// CHECK: %[[BOTH:.*]] = arith.andi {{.*}} : tensor<8x8xi1>
// CHECK: tt.load {{.*}}, %[[BOTH]], %[[NAN]]
tt.func public @padded(%p: !tt.ptr<f32>, %m: i64, %i: i32) -> tensor<8x8xf32> {
  %b = tt.make_tensor_ptr %p, [%m, %m], [%m, %m], [%i, %i] {order = array<i32: 1, 0>} : <tensor<8x8xf32>>
  %v = tt.load %b {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<8x8xf32>>
  tt.return %v : tensor<8x8xf32>
}
