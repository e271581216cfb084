// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s | tilescope-opt | FileCheck %s
// RUN: tilescope-opt %s --mlir-print-op-generic | tilescope-opt | FileCheck %s

// CHECK-LABEL: module @casts
module @casts {
  tt.func public @casts_0(%arg0: i64) {
    // CHECK: tt.int_to_ptr %arg0 : i64 -> !tt.ptr<f32>
    %0 = tt.int_to_ptr %arg0 : i64 -> !tt.ptr<f32>
    tt.return
  }
  tt.func public @casts_1(%arg0: !tt.ptr<f32>) {
    // CHECK: tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %0 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    tt.return
  }
  tt.func public @casts_2(%arg0: tensor<8xf32>) {
    // CHECK: tt.bitcast %arg0 : tensor<8xf32> -> tensor<8xi32>
    %0 = tt.bitcast %arg0 : tensor<8xf32> -> tensor<8xi32>
    tt.return
  }
  tt.func public @casts_3(%arg0: tensor<8xf32>) {
    // CHECK: tt.fp_to_fp %arg0, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
    %0 = tt.fp_to_fp %arg0, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
    tt.return
  }
  tt.func public @casts_4(%arg0: tensor<8xf32>) {
    // CHECK: tt.fp_to_fp %arg0, rounding = rtz : tensor<8xf32> -> tensor<8xf16>
    %0 = tt.fp_to_fp %arg0, rounding = rtz : tensor<8xf32> -> tensor<8xf16>
    tt.return
  }
  tt.func public @casts_5(%arg0: tensor<8xf8E4M3FN>) {
    // CHECK: tt.fp_to_fp %arg0 : tensor<8xf8E4M3FN> -> tensor<8xf32>
    %0 = tt.fp_to_fp %arg0 : tensor<8xf8E4M3FN> -> tensor<8xf32>
    tt.return
  }
}

// CHECK-LABEL: module @math
module @math {
  tt.func public @math_0(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) {
    // CHECK: tt.clampf %arg0, %arg1, %arg2, propagateNan = none : tensor<8xf32>
    %0 = tt.clampf %arg0, %arg1, %arg2, propagateNan = none : tensor<8xf32>
    tt.return
  }
  tt.func public @math_1(%arg0: f32, %arg1: f32, %arg2: f32) {
    // CHECK: tt.clampf %arg0, %arg1, %arg2, propagateNan = all : f32
    %0 = tt.clampf %arg0, %arg1, %arg2, propagateNan = all : f32
    tt.return
  }
  tt.func public @math_2(%arg0: tensor<8xf32>) {
    // CHECK: tt.precise_sqrt %arg0 : tensor<8xf32>
    %0 = tt.precise_sqrt %arg0 : tensor<8xf32>
    tt.return
  }
  tt.func public @math_3(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) {
    // CHECK: tt.precise_divf %arg0, %arg1 : tensor<8xf32>
    %0 = tt.precise_divf %arg0, %arg1 : tensor<8xf32>
    tt.return
  }
  tt.func public @math_4(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>) {
    // CHECK: tt.mulhiui %arg0, %arg1 : tensor<8xi32>
    %0 = tt.mulhiui %arg0, %arg1 : tensor<8xi32>
    tt.return
  }
  tt.func public @math_5(%arg0: tensor<8x!tt.ptr<f32>>, %arg1: tensor<8xi32>) {
    // CHECK: tt.addptr %arg0, %arg1 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %0 = tt.addptr %arg0, %arg1 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    tt.return
  }
  tt.func public @math_6() {
    // CHECK: tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    tt.return
  }
  tt.func public @math_7() {
    // CHECK: tt.get_program_id x : i32
    %0 = tt.get_program_id x : i32
    tt.return
  }
  tt.func public @math_8() {
    // CHECK: tt.get_num_programs z : i32
    %0 = tt.get_num_programs z : i32
    tt.return
  }
  tt.func public @math_9(%arg0: tensor<8xf32>) {
    // CHECK: tt.extern_elementwise %arg0 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<8xf32>) -> tensor<8xf32>
    %0 = tt.extern_elementwise %arg0 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<8xf32>) -> tensor<8xf32>
    tt.return
  }
  tt.func public @math_10(%arg0: tensor<8xf32>) {
    // CHECK: tt.elementwise_inline_asm "ex2.approx.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %arg0 : tensor<8xf32> -> tensor<8xf32>
    %0 = tt.elementwise_inline_asm "ex2.approx.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %arg0 : tensor<8xf32> -> tensor<8xf32>
    tt.return
  }
}

// CHECK-LABEL: module @memory
module @memory {
  tt.func public @memory_0(%arg0: tensor<8x!tt.ptr<f32>>) {
    // CHECK: tt.load %arg0 : tensor<8x!tt.ptr<f32>>
    %0 = tt.load %arg0 : tensor<8x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @memory_1(%arg0: tensor<8x!tt.ptr<f32>>, %arg1: tensor<8xi1>) {
    // CHECK: tt.load %arg0, %arg1 {isVolatile = true} : tensor<8x!tt.ptr<f32>>
    %0 = tt.load %arg0, %arg1 {isVolatile = true} : tensor<8x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @memory_2(%arg0: tensor<8x!tt.ptr<f32>>, %arg1: tensor<8xi1>, %arg2: tensor<8xf32>) {
    // CHECK: tt.load %arg0, %arg1, %arg2 cacheModifier = cg evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
    %0 = tt.load %arg0, %arg1, %arg2 cacheModifier = cg evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @memory_3(%arg0: !tt.ptr<f32>) {
    // CHECK: tt.load %arg0 : !tt.ptr<f32>
    %0 = tt.load %arg0 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @memory_4(%arg0: !tt.ptr<tensor<32x32xf32>>) {
    // CHECK: tt.load %arg0 {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<32x32xf32>>
    %0 = tt.load %arg0 {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<32x32xf32>>
    tt.return
  }
  tt.func public @memory_5(%arg0: tensor<8x!tt.ptr<f32>>, %arg1: tensor<8xf32>, %arg2: tensor<8xi1>) {
    // CHECK: tt.store %arg0, %arg1, %arg2 cacheModifier = wb : tensor<8x!tt.ptr<f32>>
    tt.store %arg0, %arg1, %arg2 cacheModifier = wb : tensor<8x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @memory_6(%arg0: tensor<8x!tt.ptr<f32>>, %arg1: tensor<8xf32>) {
    // CHECK: tt.store %arg0, %arg1 evictionPolicy = evict_last : tensor<8x!tt.ptr<f32>>
    tt.store %arg0, %arg1 evictionPolicy = evict_last : tensor<8x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @memory_7(%arg0: tensor<8x!tt.ptr<f32>>, %arg1: tensor<8xf32>, %arg2: tensor<8xi1>) {
    // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %arg1, %arg2 : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
    %0 = tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %arg1, %arg2 : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
    tt.return
  }
  tt.func public @memory_8(%arg0: !tt.ptr<i32>, %arg1: i32) {
    // CHECK: tt.atomic_rmw exch, relaxed, cta, %arg0, %arg1 : (!tt.ptr<i32>, i32) -> i32
    %0 = tt.atomic_rmw exch, relaxed, cta, %arg0, %arg1 : (!tt.ptr<i32>, i32) -> i32
    tt.return
  }
  tt.func public @memory_9(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32) {
    // CHECK: tt.atomic_cas acq_rel, sys, %arg0, %arg1, %arg2 : (!tt.ptr<i32>, i32, i32) -> i32
    %0 = tt.atomic_cas acq_rel, sys, %arg0, %arg1, %arg2 : (!tt.ptr<i32>, i32, i32) -> i32
    tt.return
  }
  tt.func public @memory_10(%arg0: !tt.ptr<i32>, %arg1: i32) {
    // CHECK: tt.atomic_poll acquire, gpu, %arg0, %arg1 : !tt.ptr<i32>, i32 -> i1
    %0 = tt.atomic_poll acquire, gpu, %arg0, %arg1 : !tt.ptr<i32>, i32 -> i1
    tt.return
  }
  tt.func public @memory_11(%arg0: !tt.ptr<f32>, %arg1: i64, %arg2: i64, %arg3: i32) {
    // CHECK: tt.make_tensor_ptr %arg0, [%arg1, %arg1], [%arg2, %arg2], [%arg3, %arg3] {order = array<i32: 1, 0>} : <tensor<32x32xf32>>
    %0 = tt.make_tensor_ptr %arg0, [%arg1, %arg1], [%arg2, %arg2], [%arg3, %arg3] {order = array<i32: 1, 0>} : <tensor<32x32xf32>>
    tt.return
  }
  tt.func public @memory_12(%arg0: !tt.ptr<tensor<32x32xf32>>, %arg1: i32) {
    // CHECK: tt.advance %arg0, [%arg1, %arg1] : <tensor<32x32xf32>>
    %0 = tt.advance %arg0, [%arg1, %arg1] : <tensor<32x32xf32>>
    tt.return
  }
  tt.func public @memory_13(%arg0: !tt.ptr<i8, 3>) {
    // CHECK: tt.ptr_to_int %arg0 : !tt.ptr<i8, 3> -> i64
    %0 = tt.ptr_to_int %arg0 : !tt.ptr<i8, 3> -> i64
    tt.return
  }
}

// CHECK-LABEL: module @descriptors
module @descriptors {
  tt.func public @descriptors_0(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64) {
    // CHECK: tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <f16>, <tensor<16x64xf16>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <f16>, <tensor<16x64xf16>>
    tt.return
  }
  tt.func public @descriptors_1(%arg0: !tt.ptr<i8>, %arg1: i32, %arg2: i64) {
    // CHECK: tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] {padding = 2 : i32} : <i8>, <tensor<16x64xui8>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] {padding = 2 : i32} : <i8>, <tensor<16x64xui8>>
    tt.return
  }
  tt.func public @descriptors_2(%arg0: !tt.tensordesc<tensor<16x64xf16>>, %arg1: i32) {
    // CHECK: tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
    tt.return
  }
  tt.func public @descriptors_3(%arg0: !tt.tensordesc<tensor<16x64xf16>>, %arg1: i32, %arg2: tensor<16x64xf16>) {
    // CHECK: tt.descriptor_store %arg0[%arg1, %arg1], %arg2 : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
    tt.descriptor_store %arg0[%arg1, %arg1], %arg2 : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
    tt.return
  }
  tt.func public @descriptors_4(%arg0: !tt.tensordesc<tensor<16x64xf16>>, %arg1: i32, %arg2: tensor<16x64xf16>) {
    // CHECK: tt.descriptor_reduce add, %arg0[%arg1, %arg1], %arg2 : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
    tt.descriptor_reduce add, %arg0[%arg1, %arg1], %arg2 : !tt.tensordesc<tensor<16x64xf16>>, tensor<16x64xf16>
    tt.return
  }
  tt.func public @descriptors_5(%arg0: !tt.tensordesc<tensor<1x64xf16>>, %arg1: tensor<32xi32>, %arg2: i32) {
    // CHECK: tt.descriptor_gather %arg0[%arg1, %arg2] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
    %0 = tt.descriptor_gather %arg0[%arg1, %arg2] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
    tt.return
  }
  tt.func public @descriptors_6(%arg0: !tt.tensordesc<tensor<1x64xf16>>, %arg1: tensor<32xi32>, %arg2: i32, %arg3: tensor<32x64xf16>) {
    // CHECK: tt.descriptor_scatter %arg0[%arg1, %arg2], %arg3 : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
    tt.descriptor_scatter %arg0[%arg1, %arg2], %arg3 : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
    tt.return
  }
}

// CHECK-LABEL: module @shapes
module @shapes {
  tt.func public @shapes_0(%arg0: f32) {
    // CHECK: tt.splat %arg0 : f32 -> tensor<4x8xf32>
    %0 = tt.splat %arg0 : f32 -> tensor<4x8xf32>
    tt.return
  }
  tt.func public @shapes_1(%arg0: tensor<1xf32>) {
    // CHECK: tt.unsplat %arg0 : tensor<1xf32>
    %0 = tt.unsplat %arg0 : tensor<1xf32>
    tt.return
  }
  tt.func public @shapes_2(%arg0: tensor<8xi32>) {
    // CHECK: tt.expand_dims %arg0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %0 = tt.expand_dims %arg0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    tt.return
  }
  tt.func public @shapes_3(%arg0: tensor<8x4xf32>) {
    // CHECK: tt.reshape %arg0 : tensor<8x4xf32> -> tensor<32xf32>
    %0 = tt.reshape %arg0 : tensor<8x4xf32> -> tensor<32xf32>
    tt.return
  }
  tt.func public @shapes_4(%arg0: tensor<8x4xf32>) {
    // CHECK: tt.reshape %arg0 allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
    %0 = tt.reshape %arg0 allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
    tt.return
  }
  tt.func public @shapes_5(%arg0: tensor<8x4xf32>) {
    // CHECK: tt.reshape %arg0 allow_reorder efficient_layout : tensor<8x4xf32> -> tensor<32xf32>
    %0 = tt.reshape %arg0 allow_reorder efficient_layout : tensor<8x4xf32> -> tensor<32xf32>
    tt.return
  }
  tt.func public @shapes_6(%arg0: tensor<8x1xi32>) {
    // CHECK: tt.broadcast %arg0 : tensor<8x1xi32> -> tensor<8x16xi32>
    %0 = tt.broadcast %arg0 : tensor<8x1xi32> -> tensor<8x16xi32>
    tt.return
  }
  tt.func public @shapes_7(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) {
    // CHECK: tt.cat %arg0, %arg1 : tensor<8xf32> -> tensor<16xf32>
    %0 = tt.cat %arg0, %arg1 : tensor<8xf32> -> tensor<16xf32>
    tt.return
  }
  tt.func public @shapes_8(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) {
    // CHECK: tt.join %arg0, %arg1 : tensor<8xf32> -> tensor<8x2xf32>
    %0 = tt.join %arg0, %arg1 : tensor<8xf32> -> tensor<8x2xf32>
    tt.return
  }
  tt.func public @shapes_9(%arg0: tensor<8x4xf32>) {
    // CHECK: tt.trans %arg0 {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
    %0 = tt.trans %arg0 {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
    tt.return
  }
  tt.func public @shapes_10(%arg0: tensor<16x4xf32>, %arg1: tensor<8x4xi32>) {
    // CHECK: tt.gather %arg0[%arg1] {axis = 0 : i32} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
    %0 = tt.gather %arg0[%arg1] {axis = 0 : i32} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
    tt.return
  }
  tt.func public @shapes_11(%arg0: tensor<64xi32>) {
    // CHECK: tt.histogram %arg0 : tensor<64xi32> -> tensor<16xi32>
    %0 = tt.histogram %arg0 : tensor<64xi32> -> tensor<16xi32>
    tt.return
  }
  tt.func public @shapes_12(%arg0: tensor<64xi32>, %arg1: tensor<64xi1>) {
    // CHECK: tt.histogram %arg0, %arg1 : tensor<64xi32> -> tensor<16xi32>
    %0 = tt.histogram %arg0, %arg1 : tensor<64xi32> -> tensor<16xi32>
    tt.return
  }
}

// CHECK-LABEL: module @dots
module @dots {
  tt.func public @dots_0(%arg0: tensor<16x32xf16>, %arg1: tensor<32x8xf16>, %arg2: tensor<16x8xf32>) {
    // CHECK: tt.dot %arg0, %arg1, %arg2 : tensor<16x32xf16> * tensor<32x8xf16> -> tensor<16x8xf32>
    %0 = tt.dot %arg0, %arg1, %arg2 : tensor<16x32xf16> * tensor<32x8xf16> -> tensor<16x8xf32>
    tt.return
  }
  tt.func public @dots_1(%arg0: tensor<16x32xf32>, %arg1: tensor<32x8xf32>, %arg2: tensor<16x8xf32>) {
    // CHECK: tt.dot %arg0, %arg1, %arg2, inputPrecision = tf32 {maxNumImpreciseAcc = 4 : i32} : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
    %0 = tt.dot %arg0, %arg1, %arg2, inputPrecision = tf32 {maxNumImpreciseAcc = 4 : i32} : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
    tt.return
  }
  tt.func public @dots_2(%arg0: tensor<32x32xi8>, %arg1: tensor<32x2xi8>, %arg2: tensor<64x32xbf16>, %arg3: tensor<32x32xf32>) {
    // CHECK: tt.dot_scaled %arg0 scale %arg1, %arg2, %arg3 lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x32xbf16> -> tensor<32x32xf32>
    %0 = tt.dot_scaled %arg0 scale %arg1, %arg2, %arg3 lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x32xbf16> -> tensor<32x32xf32>
    tt.return
  }
}

// CHECK-LABEL: module @debugging
module @debugging {
  tt.func public @debugging_0(%arg0: tensor<8xf32>, %arg1: tensor<8xi32>) {
    // CHECK: tt.print " x: " {hex = false, isSigned = array<i32: 0, 1>} : %arg0, %arg1 : tensor<8xf32>, tensor<8xi32>
    tt.print " x: " {hex = false, isSigned = array<i32: 0, 1>} : %arg0, %arg1 : tensor<8xf32>, tensor<8xi32>
    tt.return
  }
  tt.func public @debugging_1() {
    // CHECK: tt.print " here" {hex = true, isSigned = array<i32>}
    tt.print " here" {hex = true, isSigned = array<i32>}
    tt.return
  }
  tt.func public @debugging_2(%arg0: tensor<8xi1>) {
    // CHECK: tt.assert %arg0, "bad" : tensor<8xi1>
    tt.assert %arg0, "bad" : tensor<8xi1>
    tt.return
  }
  tt.func public @debugging_3(%arg0: i1) {
    // CHECK: llvm.intr.assume %arg0 : i1
    llvm.intr.assume %arg0 : i1
    tt.return
  }
  tt.func public @debugging_4() {
    // CHECK: gpu.barrier
    gpu.barrier
    tt.return
  }
  tt.func public @debugging_5() {
    // CHECK: tt.grid_dependency_wait
    tt.grid_dependency_wait
    tt.return
  }
  tt.func public @debugging_6() {
    // CHECK: tt.grid_dependency_launch_dependents
    tt.grid_dependency_launch_dependents
    tt.return
  }
}

// CHECK-LABEL: module @regions
module @regions {
  // CHECK: tt.func public @kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<8xf32>, %arg2: tensor<8x2xf32>) attributes {noinline = false} {
  tt.func public @kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<8xf32>, %arg2: tensor<8x2xf32>) attributes {noinline = false} {
    // CHECK: %0 = "tt.reduce"(%arg1) <{axis = 0 : i32}> ({
    // CHECK-NEXT: ^bb0(%arg3: f32, %arg4: f32):
    // CHECK-NEXT: arith.addf %arg3, %arg4 : f32
    // CHECK-NEXT: tt.reduce.return %{{.*}} : f32
    // CHECK-NEXT: }) : (tensor<8xf32>) -> f32
    %0 = "tt.reduce"(%arg1) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tt.reduce.return %s : f32
    }) : (tensor<8xf32>) -> f32
    // CHECK: "tt.reduce"(%arg2, %arg2) <{axis = 1 : i32}> ({
    // CHECK: }) : (tensor<8x2xf32>, tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    %1:2 = "tt.reduce"(%arg2, %arg2) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
      tt.reduce.return %a, %d : f32, f32
    }) : (tensor<8x2xf32>, tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    // CHECK: "tt.scan"(%arg1) <{axis = 0 : i32, reverse = true}> ({
    // CHECK: tt.scan.return %{{.*}} : f32
    %2 = "tt.scan"(%arg1) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tt.scan.return %s : f32
    }) : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK: "tt.map_elementwise"(%arg1) <{pack = 1 : i32}> ({
    // CHECK: cf.cond_br
    // CHECK: tt.map_elementwise.return %{{.*}} : f32
    // CHECK: tt.map_elementwise.return %{{.*}} : f32
    %3 = "tt.map_elementwise"(%arg1) <{pack = 1 : i32}> ({
    ^bb0(%e: f32):
      %big = arith.cmpf ogt, %e, %e : f32
      cf.cond_br %big, ^bb1, ^bb2
    ^bb1:
      %n = arith.negf %e : f32
      tt.map_elementwise.return %n : f32
    ^bb2:
      tt.map_elementwise.return %e : f32
    }) : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK: %outLHS, %outRHS = tt.split %arg2 : tensor<8x2xf32> -> tensor<8xf32>
    %4, %5 = tt.split %arg2 : tensor<8x2xf32> -> tensor<8xf32>
    // CHECK: tt.call @helper(%{{.*}}) : (f32) -> f32
    %6 = tt.call @helper(%0) : (f32) -> f32
    tt.return
  }
  // CHECK: tt.func private @helper(%arg0: f32) -> f32 attributes {noinline = true} {
  tt.func private @helper(%x: f32) -> f32 attributes {noinline = true} {
    // CHECK: tt.return %arg0 : f32
    tt.return %x : f32
  }
}

// The form of descriptor types without the word `tensor` is read too.
// CHECK-LABEL: @short_descriptor
// CHECK-SAME: !tt.tensordesc<tensor<16x64xf16>>
tt.func private @short_descriptor(%d: !tt.tensordesc<16x64xf16>)
