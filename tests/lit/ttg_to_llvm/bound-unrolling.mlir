// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -bound-unrolling -verify-diagnostics | FileCheck %s

#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// The largest block that the language has, of the default number of warps.
// CHECK-LABEL: @largest
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @largest(%p: !tt.ptr<f32>) {
    %range = tt.make_range {start = 0 : i32, end = 1048576 : i32} : tensor<1048576xi32, #four>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<1048576x!tt.ptr<f32>, #four>
    %at = tt.addptr %base, %range : tensor<1048576x!tt.ptr<f32>, #four>, tensor<1048576xi32, #four>
    %x = tt.load %at : tensor<1048576x!tt.ptr<f32>, #four>
    tt.store %at, %x : tensor<1048576x!tt.ptr<f32>, #four>
    tt.return
  }
}

// -----

#two = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @half_the_warps(%p: !tt.ptr<f32>) {
    // expected-error @below {{out of resource: every thread would execute about 32768 operations}}
    // expected-note @below {{here it holds 16384 elements of a block of}}
    // expected-note @below {{smaller blocks or more warps need less}}
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<1048576x!tt.ptr<f32>, #two>
    %x = tt.load %base : tensor<1048576x!tt.ptr<f32>, #two>
    tt.return
  }
}
