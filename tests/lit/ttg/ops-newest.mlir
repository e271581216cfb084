// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What Triton writes since 3.7: clusters in encodings, further layouts, indexed accesses to shared memory.
// RUN: tilescope-opt %s --split-input-file | tilescope-opt --split-input-file | FileCheck %s
// RUN: tilescope-opt %s --split-input-file --mlir-print-op-generic | tilescope-opt --split-input-file | FileCheck %s

// The minor version may be left out, and is printed.
// CHECK-DAG: [[BLOCKED:#blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[1, 0\]\]}}}>
// CHECK-DAG: [[COPIES:#blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[0, 0\]\]}}}>
// CHECK-DAG: [[MMA:#mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], CGALayout = {{\[\[1, 0\]\]}}, instrShape = [16, 8]}>
// CHECK-DAG: [[SWIZZLED:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0], CGALayout = {{\[\[1, 0\]\]}}}>
// CHECK-DAG: [[BULK:#shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = {{\[\[1, 0\]\]}}}>
// CHECK-DAG: [[PADDED:#shared[0-9]*]] = #ttg.padded_shared<[64:+4, 256:+8] {offset = {{\[\[0, 1\], .*, \[16, 0\]\]}}, block = {{\[\[32, 0\]\]}}}>
// CHECK-DAG: [[LINEAR:#linear[0-9]*]] = #ttg.generic_linear<{register = {{\[\[0, 1\]\]}}, lane = {{\[\[0, 2\], \[0, 4\], \[1, 0\], \[2, 0\], \[4, 0\]\]}}, warp = {{\[\[8, 0\], \[16, 1\]\]}}, block = {{\[\[32, 0\]\]}}}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#copies = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [2, 2], CGALayout = [[1, 0]], instrShape = [16, 8]}>
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0], CGALayout = [[1, 0]]}>
#bulk = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#padded = #ttg.padded_shared<[64:+4, 256:+8] {order = [1, 0], shape = [64, 32], CGALayout = [[1, 0]]}>
#linear = #ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 1]], block = [[32, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @clusters
  // CHECK-SAME: tensor<64x32xf16, [[BLOCKED]]>
  // CHECK-SAME: tensor<64x32xf16, [[COPIES]]>
  // CHECK-SAME: tensor<64x32xf32, [[MMA]]>
  // CHECK-SAME: tensor<64x8xf16, [[LINEAR]]>
  // CHECK-SAME: !ttg.memdesc<64x32xf16, [[SWIZZLED]], #smem, mutable>
  // CHECK-SAME: !ttg.memdesc<64x32xf16, [[BULK]], #smem, mutable>
  // CHECK-SAME: !ttg.memdesc<64x32xf16, [[PADDED]], #smem, mutable>
  tt.func @clusters(%a: tensor<64x32xf16, #blocked>, %b: tensor<64x32xf16, #copies>, %c: tensor<64x32xf32, #mma>, %d: tensor<64x8xf16, #linear>, %e: !ttg.memdesc<64x32xf16, #swizzled, #smem, mutable>, %f: !ttg.memdesc<64x32xf16, #bulk, #smem, mutable>, %g: !ttg.memdesc<64x32xf16, #padded, #smem, mutable>, %r: tensor<1x32xf16, #blocked>) {
    // Both layouts of one row lie alike in each block of the cluster.
    // CHECK: tt.broadcast %{{.*}} : tensor<1x32xf16, [[BLOCKED]]> -> tensor<64x32xf16, [[COPIES]]>
    %0 = tt.broadcast %r : tensor<1x32xf16, #blocked> -> tensor<64x32xf16, #copies>
    tt.return
  }
}

// -----

// What Triton wrote before 3.6 means the same: two blocks hold copies along dimension 1, two a half each.
// CHECK-DAG: #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[0, 0\], \[1, 0\]\]}}}>
// CHECK-DAG: #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA = [2, 2], CTASplitNum = [2, 1], CTAOrder = [1, 0]}>
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CTAsPerCGA = [1], CTASplitNum = [1], CTAOrder = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @older(%a: tensor<64x32xf16, #blocked>, %b: !ttg.memdesc<64xf16, #one, #smem>) {
    tt.return
  }
}

// -----

// CHECK-DAG: [[INNER:#shared[0-9]*]] = #ttg.padded_shared<[128:+4] {order = [1, 0], shape = [16, 16]}>
// CHECK-DAG: [[PARTS:#shared[0-9]*]] = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = {{.*}}}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#inner = #ttg.padded_shared<[128:+4] {order = [1, 0], shape = [16, 16]}>
#parts = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #inner}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @indexed
  tt.func @indexed(%p: !ttg.memdesc<64x16xf16, #parts, #smem, mutable>, %m: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %i: tensor<16x32xi32, #blocked>, %n: !ttg.memdesc<64xi32, #shared1, #smem, mutable>, %j: tensor<128xi32, #blocked1>, %v: tensor<128xi32, #blocked1>, %k: tensor<128xi1, #blocked1>) {
    %t = ttg.async_commit_group
    // CHECK: ttg.local_gather %{{[a-z0-9]+}}[%{{[a-z0-9]+}}] {axis = 0 : i32} : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem, mutable>, tensor<16x32xi32, #blocked> -> tensor<16x32xf16, #blocked>
    %a = ttg.local_gather %m[%i] {axis = 0 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, tensor<16x32xi32, #blocked> -> tensor<16x32xf16, #blocked>
    // CHECK: ttg.local_gather %{{[a-z0-9]+}}[%{{[a-z0-9]+}}] token %{{[a-z0-9]+}} {axis = 0 : i32} :
    %b = ttg.local_gather %m[%i] token %t {axis = 0 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, tensor<16x32xi32, #blocked> -> tensor<16x32xf16, #blocked>
    // CHECK: ttg.local_scatter %{{[a-z0-9]+}}[%{{[a-z0-9]+}}], %{{[a-z0-9]+}} {axis = 0 : i32} : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem, mutable>, tensor<16x32xi32, #blocked>, tensor<16x32xf16, #blocked>
    ttg.local_scatter %m[%i], %a {axis = 0 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, tensor<16x32xi32, #blocked>, tensor<16x32xf16, #blocked>
    // CHECK: ttg.local_atomic_scatter_rmw add, %{{[a-z0-9]+}}[%{{[a-z0-9]+}}], %{{[a-z0-9]+}} {axis = 0 : i32} : (!ttg.memdesc<64xi32, #shared{{[0-9]*}}, #smem, mutable>, tensor<128xi32, #blocked1>, tensor<128xi32, #blocked1>) -> tensor<128xi32, #blocked1>
    %c = ttg.local_atomic_scatter_rmw add, %n[%j], %v {axis = 0 : i32} : (!ttg.memdesc<64xi32, #shared1, #smem, mutable>, tensor<128xi32, #blocked1>, tensor<128xi32, #blocked1>) -> tensor<128xi32, #blocked1>
    // CHECK: ttg.local_atomic_scatter_rmw umax, %{{[a-z0-9]+}}[%{{[a-z0-9]+}}], %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {axis = 0 : i32} :
    %d = ttg.local_atomic_scatter_rmw umax, %n[%j], %c, %k {axis = 0 : i32} : (!ttg.memdesc<64xi32, #shared1, #smem, mutable>, tensor<128xi32, #blocked1>, tensor<128xi32, #blocked1>, tensor<128xi1, #blocked1>) -> tensor<128xi32, #blocked1>
    tt.return
  }
}

// -----

// What the pipeliner guards.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @guarded
  tt.func @guarded(%p: tensor<128x!tt.ptr<f32>, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: %[[P:.+]] = ttg.predicate_stage %{{.*}}, %{{.*}}, %{{.*}} maxStage 2 stage 0 : i32 -> i1
      %pred = ttg.predicate_stage %i, %n, %c1 maxStage 2 stage 0 : i32 -> i1
      // CHECK: %{{.*}}:2 = ttg.mask %[[P]] {
      // CHECK: ttg.mask.return %{{.*}}, %{{.*}} : tensor<128xf32, #blocked>, i32
      // CHECK: } : tensor<128xf32, #blocked>, i32
      %x:2 = ttg.mask %pred {
        %y = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
        ttg.mask.return %y, %i : tensor<128xf32, #blocked>, i32
      } : tensor<128xf32, #blocked>, i32
      // CHECK: ttg.mask %[[P]] {
      // CHECK: ttg.mask.return
      ttg.mask %pred {
        tt.store %p, %x#0 : tensor<128x!tt.ptr<f32>, #blocked>
        ttg.mask.return
      }
    }
    tt.return
  }
}
