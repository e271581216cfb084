// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-tt-to-cpu="vector-bytes=64 check-bounds=true" --split-input-file | FileCheck %s

// One comparison for a run of neighbors; where it fails, a function says which lanes are inside.
// CHECK: module attributes {tt.checked_accesses = {{\[\[}}0, 4, #loc{{[0-9]*}}], [1, 4, #loc{{[0-9]*}}]], tt.scratch_bytes
// CHECK: llvm.func @tilescope_inside_of_run({{.*}}) -> i64 attributes {passthrough = ["cold"]
// CHECK-LABEL: func.func @scaled(
// CHECK: llvm.inttoptr
// CHECK: scf.for
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : i64
// CHECK: %[[WANTED:.*]] = scf.if %[[INSIDE]] -> (vector<32xi1>)
// CHECK-NEXT: scf.yield %[[MASK:.*]] : vector<32xi1>
// CHECK-NEXT: } else {
// CHECK: llvm.bitcast %[[MASK]] : vector<32xi1> to i32
// CHECK: llvm.call @tilescope_inside_of_run
// CHECK: llvm.bitcast %{{.*}} : i32 to vector<32xi1>
// CHECK: %[[PART:.*]] = vector.extract_strided_slice %[[WANTED]]
// CHECK: llvm.intr.masked.load %{{.*}}, %[[PART]]
// CHECK: vector.insert_strided_slice
// CHECK: arith.mulf
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
