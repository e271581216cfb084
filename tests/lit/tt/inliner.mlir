// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --inline | FileCheck %s

// CHECK-LABEL: @kernel
// CHECK-NOT: tt.call @twice
// CHECK: arith.addf %arg0, %arg0
// CHECK: tt.call @kept
tt.func public @kernel(%x: f32) -> f32 {
  %0 = tt.call @twice(%x) : (f32) -> f32
  %1 = tt.call @kept(%0) : (f32) -> f32
  tt.return %1 : f32
}
tt.func private @twice(%x: f32) -> f32 attributes {noinline = false} {
  %0 = arith.addf %x, %x : f32
  tt.return %0 : f32
}
tt.func private @kept(%x: f32) -> f32 attributes {noinline = true} {
  %0 = arith.mulf %x, %x : f32
  tt.return %0 : f32
}
