// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm --canonicalize --cse --split-input-file | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // Other threads' values are read only after all have written, and overwritten only after all have read.
  // CHECK-LABEL: llvm.func @permute
  // CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr {{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK: llvm.load %[[PLACE]] : !llvm.ptr<3> -> f32
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
  tt.func public @permute(%p: tensor<128x!tt.ptr<f32>, #blocked>, %x: tensor<128xf32, #blocked>, %i: tensor<128xi32, #blocked>, %j: tensor<128xi32, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    ttg.local_scatter %m[%i], %x {axis = 0 : i32} : !ttg.memdesc<128xf32, #shared, #smem, mutable>, tensor<128xi32, #blocked>, tensor<128xf32, #blocked>
    %y = ttg.local_gather %m[%j] {axis = 0 : i32} : !ttg.memdesc<128xf32, #shared, #smem, mutable>, tensor<128xi32, #blocked> -> tensor<128xf32, #blocked>
    ttg.local_scatter %m[%i], %y {axis = 0 : i32} : !ttg.memdesc<128xf32, #shared, #smem, mutable>, tensor<128xi32, #blocked>, tensor<128xf32, #blocked>
    tt.store %p, %y : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // Masked values are left alone. Results that are not used are not handed on.
  // CHECK-LABEL: llvm.func @count
  // CHECK: llvm.cond_br %{{.*}}, ^[[UPDATE:bb[0-9]+]], ^[[NEXT:bb[0-9]+]]
  // CHECK: ^[[UPDATE]]:
  // CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("block") monotonic : !llvm.ptr<3>, i32
  // CHECK: ^[[NEXT]]
  // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("block") monotonic : !llvm.ptr<3>, f32
  tt.func public @count(%i: tensor<128xi32, #blocked>, %v: tensor<128xi32, #blocked>, %x: tensor<128xf32, #blocked>, %k: tensor<128xi1, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64xi32, #shared, #smem, mutable>
    %n = ttg.local_alloc : () -> !ttg.memdesc<64xf32, #shared, #smem, mutable>
    %a = ttg.local_atomic_scatter_rmw add, %m[%i], %v, %k {axis = 0 : i32} : (!ttg.memdesc<64xi32, #shared, #smem, mutable>, tensor<128xi32, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    %b = ttg.local_atomic_scatter_rmw fadd, %n[%i], %x {axis = 0 : i32} : (!ttg.memdesc<64xf32, #shared, #smem, mutable>, tensor<128xf32, #blocked>, tensor<128xi32, #blocked>) -> tensor<128xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // Warps 1 to 3 hold copies: one warp counts, all learn of what was there before.
  // CHECK-LABEL: llvm.func @copies
  // CHECK: llvm.cond_br
  // CHECK: llvm.atomicrmw add
  // CHECK: llvm.store
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  tt.func public @copies(%p: tensor<32x!tt.ptr<i32>, #blocked>, %i: tensor<32xi32, #blocked>, %v: tensor<32xi32, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64xi32, #shared, #smem, mutable>
    %a = ttg.local_atomic_scatter_rmw add, %m[%i], %v {axis = 0 : i32} : (!ttg.memdesc<64xi32, #shared, #smem, mutable>, tensor<32xi32, #blocked>, tensor<32xi32, #blocked>) -> tensor<32xi32, #blocked>
    tt.store %p, %a : tensor<32x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#inner = #ttg.padded_shared<[128:+4] {order = [1, 0], shape = [16, 32]}>
#parts = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #inner}>
#gaps = #ttg.padded_shared<[64:+4, 256:+8] {order = [1, 0], shape = [64, 32]}>
#smem = #ttg.shared_memory
// The second buffer takes the first one's place: 2048 elements of 4 bytes, with 32 gaps of 16 and 8 of 32 bytes.
// CHECK: ttg.shared = 8960 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // Row 16 is in the other partition, which begins behind 1024 elements.
  // CHECK-LABEL: llvm.func @partitions
  // CHECK: llvm.mlir.constant(1024 : i32)
  // CHECK: llvm.store
  // CHECK: llvm.load
  tt.func public @partitions(%p: tensor<64x32x!tt.ptr<f32>, #blocked>, %x: tensor<64x32xf32, #blocked>) {
    %m = ttg.local_alloc %x : (tensor<64x32xf32, #blocked>) -> !ttg.memdesc<64x32xf32, #parts, #smem>
    %y = ttg.local_load %m : !ttg.memdesc<64x32xf32, #parts, #smem> -> tensor<64x32xf32, #blocked>
    %n = ttg.local_alloc %y : (tensor<64x32xf32, #blocked>) -> !ttg.memdesc<64x32xf32, #gaps, #smem>
    %z = ttg.local_load %n : !ttg.memdesc<64x32xf32, #gaps, #smem> -> tensor<64x32xf32, #blocked>
    tt.store %p, %z : tensor<64x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
