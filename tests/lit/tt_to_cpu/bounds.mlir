// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-tt-to-cpu="vector-bytes=64 check-bounds=true" --split-input-file | FileCheck %s

// One comparison for a run of neighbors; lanes are looked at only where it fails.
// CHECK: module attributes {tt.checked_accesses = {{\[\[}}0, 4, #loc{{[0-9]*}}], [1, 4, #loc{{[0-9]*}}]], tt.scratch_bytes
// CHECK: llvm.func @tilescope_note_outside({{.*}}) attributes {passthrough = ["cold"]
// CHECK-LABEL: func.func @scaled(
// CHECK: llvm.inttoptr
// CHECK: scf.for
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : i64
// CHECK: %[[X:.*]] = scf.if %[[INSIDE]] -> (vector<32xf32>)
// CHECK: llvm.intr.masked.load
// CHECK: } else {
// CHECK: %[[LANES:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : vector<32xi64>
// CHECK: %[[ANY:.*]] = vector.reduction <or>
// CHECK: scf.if %[[ANY]] {
// CHECK: llvm.call @tilescope_note_outside
// CHECK: %[[MASK:.*]] = arith.andi %[[LANES]], %{{.*}} : vector<32xi1>
// CHECK: %[[PART:.*]] = vector.extract_strided_slice %[[MASK]]
// CHECK: llvm.intr.masked.load %{{.*}}, %[[PART]]
// CHECK: arith.mulf %[[X]], %{{.*}} : vector<32xf32>
tt.func public @scaled(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %length = tt.splat %n : i32 -> tensor<128xi32>
  %mask = arith.cmpi slt, %range, %length : tensor<128xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %at = tt.addptr %base, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %two = arith.constant dense<2.0> : tensor<128xf32>
  %value = tt.load %at, %mask : tensor<128x!tt.ptr<f32>>
  %product = arith.mulf %value, %two : tensor<128xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %to = tt.addptr %outs, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.store %to, %product, %mask : tensor<128x!tt.ptr<f32>>
  tt.return
}

// -----

// A number that is an address tells its argument itself.
// CHECK-LABEL: func.func @anywhere(
// CHECK: %[[HIGH:.*]] = arith.shrui %{{.*}}, %c44{{.*}} : i64
// CHECK: arith.subi %[[HIGH]], %c1{{.*}} : i64
tt.func public @anywhere(%where: i64) {
  %one = arith.constant 1.0 : f32
  %wild = tt.int_to_ptr %where : i64 -> !tt.ptr<f32>
  tt.store %wild, %one : !tt.ptr<f32>
  tt.return
}
