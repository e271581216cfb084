// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-decompose-scaled-dot | FileCheck %s

// Packed 4-bit values: halves of bytes side by side along K, then scaled by runs of 32.
// CHECK-LABEL: tt.func public @packed
// CHECK: tt.join {{.*}} : tensor<16x32xf32> -> tensor<16x32x2xf32>
// CHECK: tt.reshape {{.*}} -> tensor<16x64xf32>
// CHECK: tt.broadcast {{.*}} : tensor<16x2x1xf32> -> tensor<16x2x32xf32>
// CHECK: %[[SCALED:.*]] = arith.mulf {{.*}} : tensor<16x64xf32>
// CHECK: %[[A:.*]] = tt.fp_to_fp %[[SCALED]], rounding = rtne : tensor<16x64xf32> -> tensor<16x64xbf16>
// CHECK: tt.dot %[[A]], %arg2, %arg3 : tensor<16x64xbf16> * tensor<64x16xbf16> -> tensor<16x16xf32>
tt.func public @packed(%a: tensor<16x32xi8>, %s: tensor<16x2xi8>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false}
    : tensor<16x32xi8>, tensor<16x2xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// Scales of the right factor come a row per column, and are turned.
// CHECK-LABEL: tt.func public @right
// CHECK-DAG: tt.bitcast %arg0 : tensor<16x32xi8> -> tensor<16x32xf8E4M3FN>
// CHECK-DAG: tt.fp_to_fp %arg2 : tensor<8x1xf8E4M3FN> -> tensor<8x1xf32>
// CHECK: %[[TURNED:.*]] = tt.trans {{.*}} : tensor<8x32xf32> -> tensor<32x8xf32>
// CHECK: arith.mulf {{.*}}, %[[TURNED]] : tensor<32x8xf32>
// CHECK: tt.dot {{.*}} : tensor<16x32xf16> * tensor<32x8xf16> -> tensor<16x8xf32>
tt.func public @right(%a: tensor<16x32xi8>, %b: tensor<32x8xf16>, %s: tensor<8x1xf8E4M3FN>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %d = tt.dot_scaled %a, %b scale %s, %c lhs = e4m3 rhs = fp16 {fastMath = false}
    : tensor<16x32xi8> * tensor<32x8xf16>, tensor<8x1xf8E4M3FN> -> tensor<16x8xf32>
  tt.return %d : tensor<16x8xf32>
}
