// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-allow-inlining --inline --tilescope-use-math-functions --tilescope-carry-distances | FileCheck %s

// CHECK-LABEL: @inlined(
// CHECK-NOT: tt.call
// CHECK: math.exp %{{.*}} : tensor<32xf32>
tt.func private @called(%x: tensor<32xf32>) -> tensor<32xf32> attributes {noinline = true} {
  %e = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_expf"} : (tensor<32xf32>) -> tensor<32xf32>
  tt.return %e : tensor<32xf32>
}
tt.func public @inlined(%x: tensor<32xf32>) -> tensor<32xf32> {
  %e = tt.call @called(%x) : (tensor<32xf32>) -> tensor<32xf32>
  tt.return %e : tensor<32xf32>
}

// The block of pointers is not carried: a scalar is.
// CHECK-LABEL: @moving(
// CHECK: scf.for {{.*}} iter_args(%[[DISTANCE:.*]] = %{{.*}}) -> (i64)
// CHECK: tt.splat %[[DISTANCE]] : i64 -> tensor<32xi64>
// CHECK: tt.addptr
// CHECK: tt.load
// CHECK: scf.yield %{{.*}} : i64
tt.func public @moving(%p: tensor<32x!tt.ptr<f32>>, %q: tensor<32x!tt.ptr<f32>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant dense<32> : tensor<32xi32>
  %end = scf.for %i = %zero to %n step %one iter_args(%at = %p) -> (tensor<32x!tt.ptr<f32>>) : i32 {
    %x = tt.load %at : tensor<32x!tt.ptr<f32>>
    tt.store %q, %x : tensor<32x!tt.ptr<f32>>
    %next = tt.addptr %at, %step : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    scf.yield %next : tensor<32x!tt.ptr<f32>>
  }
  tt.return
}
