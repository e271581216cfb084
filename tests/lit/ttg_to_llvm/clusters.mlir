// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --split-input-file --settle-scan-layouts --allocate-global-scratch --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A cluster is one program; blocks differ in the elements.
  // CHECK-LABEL: llvm.func @program
  // CHECK-SAME: nvvm.cluster_dim = array<i32: 2>
  // CHECK: sreg.cluster.ctarank
  // CHECK: sreg.clusterid.x
  // CHECK: sreg.nclusterid.y
  tt.func public @program(%p: !tt.ptr<i32>) {
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #b>
    %x = tt.get_program_id x : i32
    %n = tt.get_num_programs y : i32
    %y = arith.addi %x, %n : i32
    %s = tt.splat %y : i32 -> tensor<256xi32, #b>
    %v = arith.addi %i, %s : tensor<256xi32, #b>
    %q = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #b>
    %r = tt.addptr %q, %i : tensor<256x!tt.ptr<i32>, #b>, tensor<256xi32, #b>
    tt.store %r, %v : tensor<256x!tt.ptr<i32>, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#whole = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[0]]}>
// Every block writes its half of 256 elements.
// CHECK: ttg.shared = 512
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @between_blocks
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  // CHECK: nvvm.mapa
  // CHECK: llvm.load {{.*}} !llvm.ptr<7>
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  tt.func public @between_blocks(%x: tensor<256xf32, #b>, %p: tensor<256x!tt.ptr<f32>, #whole>) {
    %y = ttg.convert_layout %x : tensor<256xf32, #b> -> tensor<256xf32, #whole>
    tt.store %p, %y : tensor<256x!tt.ptr<f32>, #whole>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#whole = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What each block has of its own needs no other.
  // CHECK-LABEL: llvm.func @within_blocks
  // CHECK-NOT: nvvm.cluster.
  // CHECK-NOT: nvvm.mapa
  // CHECK: llvm.return
  tt.func public @within_blocks(%x: tensor<256xf32, #whole>, %p: tensor<256x!tt.ptr<f32>, #b>) {
    %y = ttg.convert_layout %x : tensor<256xf32, #whole> -> tensor<256xf32, #b>
    tt.store %p, %y : tensor<256x!tt.ptr<f32>, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Blocks combine each other's sums, in the order of the axis.
  // CHECK-LABEL: llvm.func @reduce
  // CHECK: nvvm.cluster.wait
  // CHECK-COUNT-2: nvvm.mapa
  // CHECK: nvvm.cluster.wait
  tt.func public @reduce(%x: tensor<256xf32, #b>, %p: !tt.ptr<f32>) {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %c = arith.addf %l, %r : f32
      tt.reduce.return %c : f32
    }) : (tensor<256xf32, #b>) -> f32
    tt.store %p, %s : !tt.ptr<f32>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // One block adds; the other learns of the value before.
  // CHECK-LABEL: llvm.func @atomic
  // CHECK: atom.relaxed.gpu.global.add
  // CHECK: nvvm.cluster.wait
  // CHECK: nvvm.mapa
  // CHECK: nvvm.cluster.wait
  tt.func public @atomic(%p: !tt.ptr<i32>, %x: i32, %q: !tt.ptr<i32>) {
    %true = arith.constant true
    %old = tt.atomic_rmw add, relaxed, gpu, %p, %x, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.store %q, %old : !tt.ptr<i32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @barriers
  // CHECK: nvvm.cluster.arrive.relaxed {aligned}
  // CHECK: nvvm.cluster.wait {aligned}
  // CHECK: nvvm.fence.mbarrier.init
  // CHECK: nvvm.cluster.arrive {aligned}
  // CHECK-NEXT: nvvm.cluster.wait {aligned}
  tt.func public @barriers() {
    ttng.cluster_arrive {relaxed = true}
    ttng.cluster_wait
    ttng.fence_mbarrier_init_release_cluster
    ttng.cluster_barrier
    tt.return
  }
}
