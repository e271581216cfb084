// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --convert-ttg-to-llvm --split-input-file | FileCheck %s

#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @pairs
  // CHECK: llvm.inline_asm {{.*}}"add.rn.f32x2 $0, $1, $2;", "=l,l,l" %{{.*}}, %{{.*}} : (i64, i64) -> i64
  // CHECK: llvm.inline_asm {{.*}}"fma.rn.f32x2 $0, $1, $2, $3;", "=l,l,l,l" %{{.*}} : (i64, i64, i64) -> i64
  // CHECK: llvm.fmul %{{.*}} : vector<2xf16>
  // CHECK: llvm.intr.maxnum(%{{.*}}) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
  tt.func public @pairs(%p: tensor<256x!tt.ptr<f32>, #pairs>, %q: tensor<256x!tt.ptr<f16>, #pairs>, %x: tensor<256xf32, #pairs>, %h: tensor<256xf16, #pairs>) {
    %0 = ttng.packed_arith add %x, %x : (tensor<256xf32, #pairs>, tensor<256xf32, #pairs>) -> tensor<256xf32, #pairs>
    %1 = ttng.packed_arith fma %0, %x, %0 : (tensor<256xf32, #pairs>, tensor<256xf32, #pairs>, tensor<256xf32, #pairs>) -> tensor<256xf32, #pairs>
    tt.store %p, %1 : tensor<256x!tt.ptr<f32>, #pairs>
    %2 = ttng.packed_arith mul %h, %h : (tensor<256xf16, #pairs>, tensor<256xf16, #pairs>) -> tensor<256xf16, #pairs>
    %3 = ttng.packed_arith max %2, %h : (tensor<256xf16, #pairs>, tensor<256xf16, #pairs>) -> tensor<256xf16, #pairs>
    tt.store %q, %3 : tensor<256x!tt.ptr<f16>, #pairs>
    tt.return
  }
}

// -----

#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Older GPUs have no instruction for pairs of 32 bits.
  // CHECK-LABEL: llvm.func @older
  // CHECK-NOT: f32x2
  // CHECK: llvm.fadd
  tt.func public @older(%p: tensor<256x!tt.ptr<f32>, #pairs>, %x: tensor<256xf32, #pairs>) {
    %0 = ttng.packed_arith add %x, %x : (tensor<256xf32, #pairs>, tensor<256xf32, #pairs>) -> tensor<256xf32, #pairs>
    tt.store %p, %0 : tensor<256x!tt.ptr<f32>, #pairs>
    tt.return
  }
}
