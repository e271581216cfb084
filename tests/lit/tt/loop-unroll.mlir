// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-loop-unroll | FileCheck %s

// CHECK-LABEL: @unknown_bound
// CHECK: scf.for
// CHECK-COUNT-2: arith.addf
// CHECK: } {tt.num_stages = 3 : i32}
// CHECK: scf.for
// CHECK-COUNT-1: arith.addf
// CHECK: } {tt.num_stages = 1 : i32}
tt.func public @unknown_bound(%n: i32, %x: f32) -> f32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (f32) : i32 {
    %s = arith.addf %acc, %x : f32
    scf.yield %s : f32
  } {tt.loop_unroll_factor = 2 : i32, tt.num_stages = 3 : i32}
  tt.return %r : f32
}

// CHECK-LABEL: @factor_one
// CHECK: scf.for
// CHECK-COUNT-1: arith.addf
// CHECK-NOT: tt.loop_unroll_factor
tt.func public @factor_one(%n: i32, %x: f32) -> f32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (f32) : i32 {
    %s = arith.addf %acc, %x : f32
    scf.yield %s : f32
  } {tt.loop_unroll_factor = 1 : i32}
  tt.return %r : f32
}
