// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-combine --canonicalize | FileCheck %s

// CHECK-LABEL: @dot_plus_block
// CHECK: tt.dot %arg0, %arg1, %arg2 :
// CHECK-NOT: arith.addf
tt.func public @dot_plus_block(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %product = tt.dot %a, %b, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %sum = arith.addf %product, %d : tensor<16x16xf32>
  tt.return %sum : tensor<16x16xf32>
}

// CHECK-LABEL: @dot_used_twice
// CHECK: tt.dot
// CHECK: arith.addf
tt.func public @dot_used_twice(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %d: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %product = tt.dot %a, %b, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %sum = arith.addf %product, %d : tensor<16x16xf32>
  tt.return %sum, %product : tensor<16x16xf32>, tensor<16x16xf32>
}

// CHECK-LABEL: @select_of_load
// CHECK: %[[MASK:.*]] = tt.splat %arg1 : i1 -> tensor<8xi1>
// CHECK: %[[LOAD:.*]] = tt.load %arg0, %[[MASK]], %arg2 cacheModifier = ca
// CHECK: tt.return %[[LOAD]]
tt.func public @select_of_load(%p: tensor<8x!tt.ptr<f32>>, %c: i1, %other: tensor<8xf32>) -> tensor<8xf32> {
  %mask = tt.splat %c : i1 -> tensor<8xi1>
  %loaded = tt.load %p, %mask cacheModifier = ca : tensor<8x!tt.ptr<f32>>
  %chosen = arith.select %c, %loaded, %other : tensor<8xf32>
  tt.return %chosen : tensor<8xf32>
}

// A store in between may change what the load reads.
// CHECK-LABEL: @select_of_load_across_store
// CHECK: tt.load
// CHECK: tt.store
// CHECK: arith.select
tt.func public @select_of_load_across_store(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %other: tensor<8xf32>) -> tensor<8xf32> {
  %loaded = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  tt.store %p, %other : tensor<8x!tt.ptr<f32>>
  %chosen = arith.select %m, %loaded, %other : tensor<8xi1>, tensor<8xf32>
  tt.return %chosen : tensor<8xf32>
}

// CHECK-LABEL: @addptr_wide
// CHECK: %[[SUM:.*]] = arith.addi %arg1, %arg2 : i64
// CHECK: tt.addptr %arg0, %[[SUM]]
tt.func public @addptr_wide(%p: !tt.ptr<f32>, %a: i64, %b: i64) -> !tt.ptr<f32> {
  %0 = tt.addptr %p, %a : !tt.ptr<f32>, i64
  %1 = tt.addptr %0, %b : !tt.ptr<f32>, i64
  tt.return %1 : !tt.ptr<f32>
}

// CHECK-LABEL: @addptr_constants
// CHECK: %[[SUM:.*]] = arith.constant 12 : i32
// CHECK: tt.addptr %arg0, %[[SUM]]
tt.func public @addptr_constants(%p: !tt.ptr<f32>) -> !tt.ptr<f32> {
  %a = arith.constant 8 : i32
  %b = arith.constant 4 : i32
  %0 = tt.addptr %p, %a : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %b : !tt.ptr<f32>, i32
  tt.return %1 : !tt.ptr<f32>
}

// The sum of two 32-bit offsets may wrap, the two steps do not.
// CHECK-LABEL: @addptr_narrow
// CHECK-COUNT-2: tt.addptr
tt.func public @addptr_narrow(%p: !tt.ptr<f32>, %a: i32, %b: i32) -> !tt.ptr<f32> {
  %0 = tt.addptr %p, %a : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %b : !tt.ptr<f32>, i32
  tt.return %1 : !tt.ptr<f32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
// CHECK: tt.dot %arg0, %arg1, %[[ZERO]] : tensor<16x8xf32> * tensor<8x32xf32> -> tensor<16x32xf32>
tt.func public @sum_of_products(%x: tensor<16x8xf32>, %y: tensor<8x32xf32>) -> tensor<16x32xf32> {
  %x1 = tt.expand_dims %x {axis = 2 : i32} : tensor<16x8xf32> -> tensor<16x8x1xf32>
  %y1 = tt.expand_dims %y {axis = 0 : i32} : tensor<8x32xf32> -> tensor<1x8x32xf32>
  %x2 = tt.broadcast %x1 : tensor<16x8x1xf32> -> tensor<16x8x32xf32>
  %y2 = tt.broadcast %y1 : tensor<1x8x32xf32> -> tensor<16x8x32xf32>
  %p = arith.mulf %x2, %y2 : tensor<16x8x32xf32>
  %r = "tt.reduce"(%p) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %m: f32):
    %s = arith.addf %l, %m : f32
    tt.reduce.return %s : f32
  }) : (tensor<16x8x32xf32>) -> tensor<16x32xf32>
  tt.return %r : tensor<16x32xf32>
}
