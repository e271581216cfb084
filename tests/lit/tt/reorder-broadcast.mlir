// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-reorder-broadcast | FileCheck %s

// CHECK-LABEL: @splats
// CHECK: %[[SUM:.*]] = arith.addi %arg0, %arg1 : i32
// CHECK: tt.splat %[[SUM]] : i32 -> tensor<64xi32>
tt.func public @splats(%x: i32, %y: i32) -> tensor<64xi32> {
  %0 = tt.splat %x : i32 -> tensor<64xi32>
  %1 = tt.splat %y : i32 -> tensor<64xi32>
  %2 = arith.addi %0, %1 : tensor<64xi32>
  tt.return %2 : tensor<64xi32>
}

// CHECK-LABEL: @comparison_with_constant
// CHECK: %[[C:.*]] = arith.constant 7 : i32
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %arg0, %[[C]] : i32
// CHECK: tt.splat %[[LESS]] : i1 -> tensor<64xi1>
tt.func public @comparison_with_constant(%x: i32) -> tensor<64xi1> {
  %0 = tt.splat %x : i32 -> tensor<64xi32>
  %c = arith.constant dense<7> : tensor<64xi32>
  %1 = arith.cmpi slt, %0, %c : tensor<64xi32>
  tt.return %1 : tensor<64xi1>
}

// CHECK-LABEL: @broadcasts
// CHECK: %[[SCALE:.*]] = tt.splat %arg1 : f32 -> tensor<16x1xf32>
// CHECK: %[[SMALL:.*]] = arith.mulf %arg0, %[[SCALE]] : tensor<16x1xf32>
// CHECK: tt.broadcast %[[SMALL]] : tensor<16x1xf32> -> tensor<16x64xf32>
tt.func public @broadcasts(%x: tensor<16x1xf32>, %s: f32) -> tensor<16x64xf32> {
  %0 = tt.broadcast %x : tensor<16x1xf32> -> tensor<16x64xf32>
  %1 = tt.splat %s : f32 -> tensor<16x64xf32>
  %2 = arith.mulf %0, %1 : tensor<16x64xf32>
  tt.return %2 : tensor<16x64xf32>
}

// CHECK-LABEL: @different_broadcasts
// CHECK: arith.addf {{.*}} : tensor<16x64xf32>
tt.func public @different_broadcasts(%x: tensor<16x1xf32>, %y: tensor<1x64xf32>) -> tensor<16x64xf32> {
  %0 = tt.broadcast %x : tensor<16x1xf32> -> tensor<16x64xf32>
  %1 = tt.broadcast %y : tensor<1x64xf32> -> tensor<16x64xf32>
  %2 = arith.addf %0, %1 : tensor<16x64xf32>
  tt.return %2 : tensor<16x64xf32>
}

// CHECK-LABEL: @pointers
// CHECK: tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
tt.func public @pointers(%p: !tt.ptr<f32>, %o: i32) -> tensor<8x!tt.ptr<f32>> {
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %1 = tt.splat %o : i32 -> tensor<8xi32>
  %2 = tt.addptr %0, %1 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.return %2 : tensor<8x!tt.ptr<f32>>
}
