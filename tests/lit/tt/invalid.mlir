// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --split-input-file --verify-diagnostics

tt.func @not_a_power_of_two(%x: f32) {
  // expected-error @+1 {{has a block whose number of elements is not a power of two: 'tensor<24xf32>'}}
  %0 = tt.splat %x : f32 -> tensor<24xf32>
  tt.return
}

// -----
tt.func @too_large(%x: f32) {
  // expected-error @+1 {{has a block of 2097152 elements: 'tensor<2097152xf32>'; the most allowed is 1048576}}
  %0 = tt.splat %x : f32 -> tensor<2097152xf32>
  tt.return
}

// -----
tt.func @range_length() {
  // expected-error @+1 {{has 8 values, but its type is 'tensor<16xi32>'}}
  %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<16xi32>
  tt.return
}

// -----
tt.func @broadcast_shrinks(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{can only grow extents of 1, but dimension 1 goes from 8 to 16}}
  %0 = tt.broadcast %x : tensor<4x8xf32> -> tensor<4x16xf32>
  tt.return
}

// -----
tt.func @dot_shapes(%a: tensor<16x32xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{has shapes that do not fit}}
  %0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<16x8xf16> -> tensor<16x8xf32>
  tt.return
}

// -----
tt.func @reduce_axis(%x: tensor<8xf32>) {
  // expected-error @+2 {{has axis 1 for blocks of rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    tt.reduce.return %l : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----
tt.func @reduce_arguments(%x: tensor<8xf32>) {
  // expected-error @+1 {{needs argument 1 of its region to be 'f32', not 'i32'}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: i32):
    tt.reduce.return %l : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----
tt.func @narrowing_without_rounding(%x: tensor<8xf32>) {
  // expected-error @+1 {{that narrows needs a `rounding`}}
  %0 = tt.fp_to_fp %x : tensor<8xf32> -> tensor<8xf8E5M2>
  tt.return
}

// -----
tt.func @bitcast_width(%x: tensor<8xf32>) {
  // expected-error @+1 {{cannot change the width from 32 to 16 bits}}
  %0 = tt.bitcast %x : tensor<8xf32> -> tensor<8xf16>
  tt.return
}

// -----
tt.func @float_add_of_integers(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{`fadd` needs floating-point values, not 'i32'}}
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----
tt.func @add_of_pointers(%p: !tt.ptr<!tt.ptr<i32>>, %v: !tt.ptr<i32>) {
  // expected-error @+1 {{`add` needs integers, not '!tt.ptr<i32>'}}
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<!tt.ptr<i32>>, !tt.ptr<i32>) -> !tt.ptr<i32>
  tt.return
}

// -----
tt.func @max_of_pointers(%p: !tt.ptr<!tt.ptr<i32>>, %v: !tt.ptr<i32>) {
  // expected-error @+1 {{`max` needs numbers, not '!tt.ptr<i32>'}}
  %0 = tt.atomic_rmw max, relaxed, gpu, %p, %v : (!tt.ptr<!tt.ptr<i32>>, !tt.ptr<i32>) -> !tt.ptr<i32>
  tt.return
}

// -----
tt.func @trans_order(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{has an order that is not a permutation of the dimensions}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.trans %x {order = array<i32: 0, 0>} : tensor<4x8xf32> -> tensor<4x4xf32>
  tt.return
}

// -----
tt.func @expand_dims_result(%x: tensor<8xf32>) {
  // expected-error @+2 {{incompatible with return type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tt.expand_dims %x {axis = 1 : i32} : tensor<8xf32> -> tensor<1x8xf32>
  tt.return
}

// -----
tt.func @splat_type(%x: f32) {
  // expected-error @+1 {{of 'f32' cannot be 'tensor<8xf16>'}}
  %0 = tt.splat %x : f32 -> tensor<8xf16>
  tt.return
}

// -----
tt.func @mixed_shapes(%p: tensor<8x!tt.ptr<f32>>, %o: tensor<4xi32>) {
  // expected-error @+1 {{must have the same shape and base type}}
  %0 = tt.addptr %p, %o : tensor<8x!tt.ptr<f32>>, tensor<4xi32>
  tt.return
}

// -----
tt.func @return_type(%x: f32) -> i32 {
  // expected-error @+1 {{returns 'f32', but the function is of type '(f32) -> i32'}}
  tt.return %x : f32
}

// -----
tt.func @unknown_callee(%x: f32) {
  // expected-error @+1 {{calls `nowhere`, which is not a function of this module}}
  tt.call @nowhere(%x) : (f32) -> ()
  tt.return
}

// -----
// expected-error @+1 {{a pointer cannot point to 'index'}}
tt.func @pointer_to_index(%p: !tt.ptr<index>) {
  tt.return
}

// -----
// expected-error @+1 {{has a block whose number of elements is not a power of two: 'tensor<0xi32>'}}
tt.func @unused_argument(%x: tensor<0xi32>) {
  tt.return
}

// -----
// expected-error @+1 {{has a block without a static shape: 'tensor<?xi32>'}}
tt.func private @result() -> tensor<?xi32>

// -----

tt.func @cache_word(%x: !tt.ptr<f32>) {
  // expected-error @+1 {{unknown cache policy `often`}}
  %0 = tt.load %x cacheModifier = often : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @cache_policy(%x: !tt.ptr<f32>) {
  // expected-error @+1 {{expected a `#tt.cache_policy` as the `cachePolicy`}}
  %0 = tt.load %x {cachePolicy = "often"} : !tt.ptr<f32>
  tt.return
}
