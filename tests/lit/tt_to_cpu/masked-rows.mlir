// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-tt-to-cpu=vector-bytes=64 --split-input-file | FileCheck %s

// A row behind the last one may lie on a page that is not there, where masked-off lanes take long: it is taken from the
// words of the launch.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %{{.*}}: !llvm.ptr{{.*}}, %[[LAUNCH:.*]]: !llvm.ptr{{.*}}, %{{.*}}: !llvm.ptr
// CHECK: scf.for
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: %[[X:.*]] = arith.select %[[IN]], %{{.*}}, %[[LAUNCH]] : !llvm.ptr
// CHECK: %[[PART:.*]] = llvm.getelementptr %[[X]]
// CHECK: llvm.intr.masked.load %[[PART]]
// CHECK: %[[OUT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[LAUNCH]] : !llvm.ptr
// CHECK: %[[TO:.*]] = llvm.getelementptr %[[OUT]]
// CHECK: llvm.intr.masked.store %{{.*}}, %[[TO]]
tt.func public @rows(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %m: i32, %n: i32) {
  %row = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %column = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %m8 = tt.splat %m : i32 -> tensor<8x1xi32>
  %n8 = tt.splat %n : i32 -> tensor<8x1xi32>
  %n32 = tt.splat %n : i32 -> tensor<1x32xi32>
  %inRows = arith.cmpi slt, %rows, %m8 : tensor<8x1xi32>
  %inColumns = arith.cmpi slt, %columns, %n32 : tensor<1x32xi32>
  %inRows2 = tt.broadcast %inRows : tensor<8x1xi1> -> tensor<8x32xi1>
  %inColumns2 = tt.broadcast %inColumns : tensor<1x32xi1> -> tensor<8x32xi1>
  %mask = arith.andi %inRows2, %inColumns2 : tensor<8x32xi1>
  %begin = arith.muli %rows, %n8 : tensor<8x1xi32>
  %begin2 = tt.broadcast %begin : tensor<8x1xi32> -> tensor<8x32xi32>
  %columns2 = tt.broadcast %columns : tensor<1x32xi32> -> tensor<8x32xi32>
  %place = arith.addi %begin2, %columns2 : tensor<8x32xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
  %at = tt.addptr %xs, %place : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
  %value = tt.load %at, %mask : tensor<8x32x!tt.ptr<f32>>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
  %to = tt.addptr %outs, %place : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
  tt.store %to, %value, %mask : tensor<8x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The end of a single row is found by its lanes.
// CHECK-LABEL: func.func @row(
// CHECK-NOT: arith.select
// CHECK: llvm.intr.masked.load
tt.func public @row(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %place = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %length = tt.splat %n : i32 -> tensor<128xi32>
  %mask = arith.cmpi slt, %place, %length : tensor<128xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %at = tt.addptr %xs, %place : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %value = tt.load %at, %mask : tensor<128x!tt.ptr<f32>>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %to = tt.addptr %outs, %place : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.store %to, %value, %mask : tensor<128x!tt.ptr<f32>>
  tt.return
}
