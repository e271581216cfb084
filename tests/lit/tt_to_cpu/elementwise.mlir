// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-tt-to-cpu=vector-bytes=64 --mlir-print-debuginfo | FileCheck %s

// A chain of operations is one loop over tiles of two registers; each line keeps its place. No masked access is wider
// than a register.
// CHECK: module attributes {tt.scratch_bytes = 0 : i64}
// CHECK-LABEL: func.func @scaled(
// CHECK-SAME: %{{.*}}: !llvm.ptr{{.*}}, %{{.*}}: !llvm.ptr{{.*}}, %{{.*}}: !llvm.ptr
// CHECK: scf.for
// CHECK: llvm.intr.masked.load {{.*}} -> vector<16xf32> loc(#[[LOAD:.*]])
// CHECK: llvm.intr.masked.load {{.*}} -> vector<16xf32> loc(#[[LOAD]])
// CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<32xf32> loc(#[[PRODUCT:.*]])
// CHECK-COUNT-2: llvm.intr.masked.store
// CHECK-NOT: tt.func
// CHECK-DAG: #[[LOAD]] = loc("k.py":5:9)
// CHECK-DAG: #[[PRODUCT]] = loc("k.py":6:9)
tt.func public @scaled(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %length = tt.splat %n : i32 -> tensor<128xi32>
  %mask = arith.cmpi slt, %range, %length : tensor<128xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %at = tt.addptr %base, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %two = arith.constant dense<2.0> : tensor<128xf32>
  %value = tt.load %at, %mask : tensor<128x!tt.ptr<f32>> loc("k.py":5:9)
  %product = arith.mulf %value, %two : tensor<128xf32> loc("k.py":6:9)
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %to = tt.addptr %outs, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.store %to, %product, %mask : tensor<128x!tt.ptr<f32>>
  tt.return
}
