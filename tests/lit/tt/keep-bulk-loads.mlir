// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-rewrite-tensor-descriptor-to-pointer=keeps-bulk-loads --canonicalize | FileCheck %s

// The factors of a product come from tensors whose extents are known: a launch can describe them. One is read as it is by two
// products, the other one turned.
// CHECK-LABEL: tt.func public @factors
// CHECK-DAG: %[[A:.*]] = tt.make_tensor_descriptor %arg0
// CHECK-DAG: %[[B:.*]] = tt.make_tensor_descriptor %arg1
// CHECK: scf.for
// CHECK: tt.descriptor_load %[[A]]
// CHECK: tt.descriptor_load %[[B]]
// CHECK-NOT: tt.load
tt.func public @factors(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %rows = arith.constant 100 : i32
  %columns = arith.constant 256 : i32
  %step = arith.constant 256 : i64
  %one = arith.constant 1 : i64
  %a = tt.make_tensor_descriptor %p, [%rows, %columns], [%step, %one] : <f16>, <tensor<64x64xf16>>
  %b = tt.make_tensor_descriptor %q, [%rows, %columns], [%step, %one] : <f16>, <tensor<32x64xf16>>
  %r:2 = scf.for %k = %c0 to %columns step %c64 iter_args(%s = %zero, %t = %zero) -> (tensor<64x32xf32>, tensor<64x32xf32>) : i32 {
    %x = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %y = tt.descriptor_load %b[%c0, %k] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %z = tt.trans %y {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    %d = tt.dot %x, %z, %s : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
    %e = tt.dot %x, %z, %t : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
    scf.yield %d, %e : tensor<64x32xf32>, tensor<64x32xf32>
  }
  tt.return %r#0, %r#1 : tensor<64x32xf32>, tensor<64x32xf32>
}

// An extent that only the launch knows, rows that are 100 bytes long, a block that is added to, and one of few rows.
// CHECK-LABEL: tt.func public @others
// CHECK-NOT: tensordesc
tt.func public @others(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32) -> (tensor<64x64xf32>, tensor<16x64xf32>, tensor<64x64xf16>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %few = arith.constant dense<0.0> : tensor<16x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %narrow = arith.constant 50 : i32
  %n = arith.constant 256 : i32
  %short = arith.constant 50 : i64
  %step = arith.constant 256 : i64
  %one = arith.constant 1 : i64
  %a = tt.make_tensor_descriptor %p, [%m, %n], [%step, %one] : <f16>, <tensor<64x64xf16>>
  %b = tt.make_tensor_descriptor %p, [%n, %narrow], [%short, %one] : <f16>, <tensor<64x64xf16>>
  %c = tt.make_tensor_descriptor %p, [%n, %n], [%step, %one] : <f16>, <tensor<64x64xf16>>
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%step, %one] : <f16>, <tensor<16x64xf16>>
  %r:3 = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zero, %t = %few, %u = %none) -> (tensor<64x64xf32>, tensor<16x64xf32>, tensor<64x64xf16>) : i32 {
    %w = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.descriptor_load %b[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %y = tt.descriptor_load %c[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %z = tt.descriptor_load %d[%c0, %k] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
    %e = tt.dot %w, %x, %s : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %f = tt.dot %z, %x, %t : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    %g = arith.addf %y, %u : tensor<64x64xf16>
    scf.yield %e, %f, %g : tensor<64x64xf32>, tensor<16x64xf32>, tensor<64x64xf16>
  }
  tt.return %r#0, %r#1, %r#2 : tensor<64x64xf32>, tensor<16x64xf32>, tensor<64x64xf16>
}

// Tensors that may not begin where bulk copies can.
// CHECK-LABEL: tt.func public @unaligned
// CHECK-NOT: tensordesc
tt.func public @unaligned(%p: !tt.ptr<f16>, %q: !tt.ptr<f16> {tt.divisibility = 8 : i32}) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %rows = arith.constant 100 : i32
  %columns = arith.constant 256 : i32
  %step = arith.constant 256 : i64
  %one = arith.constant 1 : i64
  %a = tt.make_tensor_descriptor %p, [%rows, %columns], [%step, %one] : <f16>, <tensor<64x64xf16>>
  %b = tt.make_tensor_descriptor %q, [%rows, %columns], [%step, %one] : <f16>, <tensor<32x64xf16>>
  %r:2 = scf.for %k = %c0 to %columns step %c64 iter_args(%s = %zero, %t = %zero) -> (tensor<64x32xf32>, tensor<64x32xf32>) : i32 {
    %x = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %y = tt.descriptor_load %b[%c0, %k] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %z = tt.trans %y {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    %d = tt.dot %x, %z, %s : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
    %e = tt.dot %x, %z, %t : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
    scf.yield %d, %e : tensor<64x32xf32>, tensor<64x32xf32>
  }
  tt.return %r#0, %r#1 : tensor<64x32xf32>, tensor<64x32xf32>
}
