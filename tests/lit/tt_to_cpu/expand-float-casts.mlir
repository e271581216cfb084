// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --tilescope-expand-float-casts | FileCheck %s

// CHECK-LABEL: @widen(
// CHECK-SAME: %[[X:.*]]: tensor<64xi8>
// CHECK: %[[WORD:.*]] = arith.extui %{{.*}} : tensor<64xi8> to tensor<64xi32>
// CHECK: arith.shli
// CHECK: arith.mulf %{{.*}}, %{{.*}} : tensor<64xf32>
// CHECK: arith.cmpi eq
// CHECK-NOT: tt.fp_to_fp
// CHECK: tt.return %{{.*}} : tensor<64xf32>
tt.func public @widen(%x: tensor<64xf8E4M3FN>) -> tensor<64xf32> {
  %y = tt.fp_to_fp %x : tensor<64xf8E4M3FN> -> tensor<64xf32>
  tt.return %y : tensor<64xf32>
}

// CHECK-LABEL: @pointers(
// CHECK-SAME: %{{.*}}: !tt.ptr<i8>, %{{.*}}: f16
// CHECK: arith.trunci %{{.*}} : i32 to i8
// CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i8>
tt.func public @pointers(%p: !tt.ptr<f8E5M2>, %x: f16) {
  %y = tt.fp_to_fp %x, rounding = rtne : f16 -> f8E5M2
  tt.store %p, %y : !tt.ptr<f8E5M2>
  tt.return
}

// Products have factors of fp16.
// CHECK-LABEL: @product(
// CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
tt.func public @product(%a: tensor<16x32xf8E5M2>, %b: tensor<32x16xf8E5M2>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot %a, %b, %c : tensor<16x32xf8E5M2> * tensor<32x16xf8E5M2> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// LLVM and processors have this one.
// CHECK-LABEL: @plain(
// CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<64xf32> -> tensor<64xf16>
tt.func public @plain(%x: tensor<64xf32>) -> tensor<64xf16> {
  %y = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32> -> tensor<64xf16>
  tt.return %y : tensor<64xf16>
}
