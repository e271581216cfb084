// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-tt-to-cpu="vector-bytes=64 tiles-bf16=true tiles-integers=true" -split-input-file | FileCheck %s
// RUN: tilescope-opt %s --tilescope-tt-to-cpu="vector-bytes=64 tiles-bf16=true tiles-integers=true exact=true" -split-input-file | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: ldtilecfg

// Two rows and two columns of registers hold the sums, which begin with zero.
// CHECK-LABEL: func.func @bf16(
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK: vector.interleave
// CHECK: scf.for
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK: scf.for
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK: llvm.call_intrinsic "llvm.x86.tilerelease"
tt.func public @bf16(%x: !tt.ptr<bf16>, %y: !tt.ptr<f32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %c1 = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %w = arith.constant dense<64> : tensor<64x1xi32>
  %rw = arith.muli %r1, %w : tensor<64x1xi32>
  %rows = tt.broadcast %rw : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tt.broadcast %c1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %rows, %columns : tensor<64x64xi32>
  %xs = tt.splat %x : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
  %xp = tt.addptr %xs, %o : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
  %a = tt.load %xp : tensor<64x64x!tt.ptr<bf16>>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tt.dot %a, %a, %zero : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %o : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %yp, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Of bytes, four rows are put side by side; one register holds all sums, and a row of 16 bytes is all that is multiplied.
// CHECK-LABEL: func.func @bytes(
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK: vector.interleave {{.*}} : vector<16xi8>
// CHECK: vector.interleave {{.*}} : vector<16xi16>
// CHECK-NOT: tilezero
// CHECK-COUNT-3: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-1: llvm.call_intrinsic "llvm.x86.tdpbssd"
// CHECK-NOT: tdpbssd
// CHECK: llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK-NOT: tilestored64
tt.func public @bytes(%x: !tt.ptr<i8>, %y: !tt.ptr<i32>) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %c1 = tt.expand_dims %r {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %w = arith.constant dense<16> : tensor<16x1xi32>
  %rw = arith.muli %r1, %w : tensor<16x1xi32>
  %rows = tt.broadcast %rw : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %c1 : tensor<1x16xi32> -> tensor<16x16xi32>
  %o = arith.addi %rows, %columns : tensor<16x16xi32>
  %xs = tt.splat %x : !tt.ptr<i8> -> tensor<16x16x!tt.ptr<i8>>
  %xp = tt.addptr %xs, %o : tensor<16x16x!tt.ptr<i8>>, tensor<16x16xi32>
  %a = tt.load %xp : tensor<16x16x!tt.ptr<i8>>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<16x16x!tt.ptr<i32>>
  %yp = tt.addptr %ys, %o : tensor<16x16x!tt.ptr<i32>>, tensor<16x16xi32>
  %before = tt.load %yp : tensor<16x16x!tt.ptr<i32>>
  %d = tt.dot %a, %a, %before : tensor<16x16xi8> * tensor<16x16xi8> -> tensor<16x16xi32>
  tt.store %yp, %d : tensor<16x16x!tt.ptr<i32>>
  tt.return
}

// -----

// Too few rows for the registers.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: ldtilecfg
tt.func public @few(%x: !tt.ptr<i8>, %y: !tt.ptr<i32>) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %k = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %c1 = tt.expand_dims %k {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rows = tt.broadcast %r1 : tensor<8x1xi32> -> tensor<8x16xi32>
  %columns = tt.broadcast %c1 : tensor<1x16xi32> -> tensor<8x16xi32>
  %o = arith.addi %rows, %columns : tensor<8x16xi32>
  %xs = tt.splat %x : !tt.ptr<i8> -> tensor<8x16x!tt.ptr<i8>>
  %xp = tt.addptr %xs, %o : tensor<8x16x!tt.ptr<i8>>, tensor<8x16xi32>
  %a = tt.load %xp : tensor<8x16x!tt.ptr<i8>>
  %b = arith.constant dense<3> : tensor<16x16xi8>
  %zero = arith.constant dense<0> : tensor<8x16xi32>
  %d = tt.dot %a, %b, %zero : tensor<8x16xi8> * tensor<16x16xi8> -> tensor<8x16xi32>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<8x16x!tt.ptr<i32>>
  %yp = tt.addptr %ys, %o : tensor<8x16x!tt.ptr<i32>>, tensor<8x16xi32>
  tt.store %yp, %d : tensor<8x16x!tt.ptr<i32>>
  tt.return
}

// -----

// A factor that nothing else needs is put side by side as it is loaded, and sums that nothing else reads stay in one buffer.
// CHECK-LABEL: func.func @loop(
// CHECK-COUNT-1: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK: scf.for
// CHECK: scf.for %{{[^ ]*}} = %{{[^ ]*}} to %{{[^ ]*}} step %{{[^ ]*}} : i32 {
// CHECK: vector.interleave
// CHECK-NOT: vector.interleave
// CHECK: tdpbf16ps
// CHECK-NOT: ldtilecfg
// CHECK: tilerelease
tt.func public @loop(%x: !tt.ptr<bf16>, %z: !tt.ptr<bf16>, %y: !tt.ptr<f32>, %n: i32) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %c1 = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %w = arith.constant dense<64> : tensor<64x1xi32>
  %rw = arith.muli %r1, %w : tensor<64x1xi32>
  %rows = tt.broadcast %rw : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tt.broadcast %c1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %rows, %columns : tensor<64x64xi32>
  %xs = tt.splat %x : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
  %xp = tt.addptr %xs, %o : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
  %zs = tt.splat %z : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
  %zp = tt.addptr %zs, %o : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %d = scf.for %i = %c0_i32 to %n step %c1_i32 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tt.load %xp : tensor<64x64x!tt.ptr<bf16>>
    %b = tt.load %zp : tensor<64x64x!tt.ptr<bf16>>
    %t = tt.dot %a, %b, %s : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %o : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %yp, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
