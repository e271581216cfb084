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

// -----

// expected-error @+1 {{CGALayout does not fit the rank}}
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1, 0]]}>

// -----

// expected-error @+1 {{CTAsPerCGA, CTASplitNum and CTAOrder do not fit the rank}}
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [2], CTASplitNum = [2], CTAOrder = [1]}>

// -----

// expected-error @+1 {{paddings must be powers of two}}
#padded = #ttg.padded_shared<[64:+4, 256:+24] {order = [1, 0], shape = [64, 32]}>

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// expected-error @+1 {{pieces need a layout of shared memory}}
#parts = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #blocked}>

// -----

#inner = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// expected-error @+1 {{partitionDim 1 is not a dimension of the pieces}}
#parts = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 1, partitionLayout = #inner}>

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @gather_axis(%m: !ttg.memdesc<64xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #blocked>) {
    // expected-error @+1 {{axis 1 is not a dimension of the buffer}}
    %v = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<64xi32, #shared, #smem, mutable>, tensor<128xi32, #blocked> -> tensor<128xi32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @gather_elements(%m: !ttg.memdesc<64xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #blocked>) {
    // expected-error @+1 {{to or from a buffer with other elements}}
    %v = ttg.local_gather %m[%i] {axis = 0 : i32} : !ttg.memdesc<64xi32, #shared, #smem, mutable>, tensor<128xi32, #blocked> -> tensor<128xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @scatter_layout(%m: !ttg.memdesc<64xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #other>, %v: tensor<128xi32, #blocked>) {
    // expected-error @+1 {{needs an index for each value, in the same layout}}
    ttg.local_scatter %m[%i], %v {axis = 0 : i32} : !ttg.memdesc<64xi32, #shared, #smem, mutable>, tensor<128xi32, #other>, tensor<128xi32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @scatter_constant(%m: !ttg.memdesc<64xi32, #shared, #smem>, %i: tensor<128xi32, #blocked>) {
    // expected-error @+1 {{needs a mutable buffer}}
    ttg.local_scatter %m[%i], %i {axis = 0 : i32} : !ttg.memdesc<64xi32, #shared, #smem>, tensor<128xi32, #blocked>, tensor<128xi32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @atomic_kind(%m: !ttg.memdesc<64xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #blocked>) {
    // expected-error @+1 {{cannot `fadd`}}
    %v = ttg.local_atomic_scatter_rmw fadd, %m[%i], %i {axis = 0 : i32} : (!ttg.memdesc<64xi32, #shared, #smem, mutable>, tensor<128xi32, #blocked>, tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
    tt.return
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @broadcast(%r: tensor<1x128xf16, #rows>) {
    // expected-error @+1 {{requires the same encoding for all blocks}}
    %0 = tt.broadcast %r : tensor<1x128xf16, #rows> -> tensor<64x128xf16, #columns>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @stage(%i: i32) {
    // expected-error @+1 {{needs a stage from 0 to 2, not 3}}
    %0 = ttg.predicate_stage %i, %i, %i maxStage 2 stage 3 : i32 -> i1
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @mask(%i: i32, %p: i1) {
    // expected-error @+1 {{must end with `ttg.mask.return` of values of its results' types}}
    %0 = ttg.mask %p {
      ttg.mask.return
    } : i32
    tt.return
  }
}
