// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{sizePerThread must be powers of two}}
#blocked = #ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// -----

// expected-error @+1 {{order must be a permutation of the dimensions}}
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 1]}>

// -----

// expected-error @+1 {{order must be a permutation of the dimensions}}
#padded = #ttg.padded_shared<[128:+8] {order = [9, 0], shape = [64, 32]}>

// -----

// expected-error @+1 {{expected a number}}
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0 : si32]}>

// -----

// expected-error @+1 {{expected order = a list of numbers}}
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4]}>

// -----

// expected-error @+1 {{the bases must reach every element}}
#linear = #ttg.linear<{register = [[2]], lane = [], warp = [], block = []}>

// -----

// expected-error @+1 {{expects 'ttg.num-warps' to be a power of two}}
module attributes {"ttg.num-warps" = 3 : i32} {}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f() {
    // expected-error @+1 {{without a block needs a mutable buffer}}
    %m = ttg.local_alloc : () -> !ttg.memdesc<64xf16, #shared, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%m: !ttg.memdesc<64xf16, #shared, #smem>) {
    // expected-error @+1 {{offsets must be multiples of the result's extents}}
    %s = ttg.memdesc_subslice %m[8] : !ttg.memdesc<64xf16, #shared, #smem> -> !ttg.memdesc<16xf16, #shared, #smem, 64>
    tt.return
  }
}
