// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-rewrite-tensor-descriptor-to-pointer --canonicalize --cse | FileCheck %s

// CHECK-LABEL: tt.func {{(public|private)}} @copy
// CHECK-NOT: tensordesc
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
// CHECK: %[[M:.*]] = arith.extsi %arg1 : i32 to i64
// CHECK: %[[N:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[START:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK: %[[POINTERS:.*]] = tt.addptr {{.*}} : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi64>
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, {{.*}} : tensor<1x32xi64>
// CHECK: %[[MASK:.*]] = arith.andi {{.*}} : tensor<16x32xi1>
// CHECK: %[[V:.*]] = tt.load {{.*}}, %[[MASK]], %[[ZERO]] : tensor<16x32x!tt.ptr<f32>>
// CHECK: tt.store {{.*}}, %[[V]], %[[MASK]] : tensor<16x32x!tt.ptr<f32>>
tt.func public @copy(%p: !tt.ptr<f32>, %m: i32, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %d = tt.make_tensor_descriptor %p, [%m, %n], [%s, %one] : <f32>, <tensor<16x32xf32>>
  %e = scf.for %i = %c0 to %m step %c16 iter_args(%cur = %d) -> (!tt.tensordesc<tensor<16x32xf32>>) : i32 {
    %v = tt.descriptor_load %cur[%i, %c0] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
    tt.descriptor_store %cur[%i, %c0], %v : !tt.tensordesc<tensor<16x32xf32>>, tensor<16x32xf32>
    scf.yield %cur : !tt.tensordesc<tensor<16x32xf32>>
  }
  tt.return
}

// Arguments and calls are expanded.
// CHECK-LABEL: tt.func {{(public|private)}} @argument
// CHECK-SAME: (%arg0: !tt.ptr<i32>, %arg1: i64, %arg2: i64, %arg3: i1) -> tensor<8xi32>
// CHECK: tt.call @helper(%arg0, %arg1, %arg2, %arg3) : (!tt.ptr<i32>, i64, i64, i1) -> tensor<8xi32>
tt.func public @argument(%d: !tt.tensordesc<tensor<8xui32>>) -> tensor<8xi32> {
  %r = tt.call @helper(%d) : (!tt.tensordesc<tensor<8xui32>>) -> tensor<8xi32>
  tt.return %r : tensor<8xi32>
}

// CHECK-LABEL: tt.func {{(public|private)}} @helper
// CHECK-SAME: (%arg0: !tt.ptr<i32>, %arg1: i64, %arg2: i64, %arg3: i1) -> tensor<8xi32>
// CHECK: tt.atomic_rmw umax, relaxed, gpu
tt.func private @helper(%d: !tt.tensordesc<tensor<8xui32>>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : i32
  %v = tt.descriptor_load %d[%c0] : !tt.tensordesc<tensor<8xui32>> -> tensor<8xi32>
  tt.descriptor_reduce max, %d[%c0], %v : !tt.tensordesc<tensor<8xui32>>, tensor<8xi32>
  tt.return %v : tensor<8xi32>
}

// CHECK-LABEL: tt.func {{(public|private)}} @rows
// CHECK-DAG: %[[NAN:.*]] = arith.constant dense<0x7E00> : tensor<32x64xf16>
// CHECK: %[[ROWS:.*]] = arith.extsi %arg2 : tensor<32xi32> to tensor<32xi64>
// CHECK: tt.load {{.*}}, %[[NAN]] : tensor<32x64x!tt.ptr<f16>>
// CHECK: tt.store {{.*}} : tensor<32x64x!tt.ptr<f16>>
tt.func public @rows(%p: !tt.ptr<f16>, %m: i32, %x: tensor<32xi32>, %y: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%s, %one] {padding = 2 : i32} : <f16>, <tensor<1x64xf16>>
  %v = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  tt.descriptor_scatter %d[%x, %y], %v : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
  tt.return
}
