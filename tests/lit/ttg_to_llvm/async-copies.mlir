// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // 16 bytes go past L1; masked off, they become zero. Each thread waits for its copies, then all meet.
  // CHECK-LABEL: llvm.func @copy
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
  // CHECK: %[[COPIED:.*]] = llvm.select
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache =  ca, %[[COPIED]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
  // CHECK: nvvm.cp.async.commit.group
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  tt.func public @copy(%p: tensor<512x!tt.ptr<f32>, #blocked>, %k: tensor<512xi1, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<512xf32, #shared, #smem, mutable>
    %n = ttg.local_alloc : () -> !ttg.memdesc<512xf32, #shared, #smem, mutable>
    %t = ttg.async_copy_global_to_local %p, %m {contiguity = 4 : i32} : tensor<512x!tt.ptr<f32>, #blocked> -> <512xf32, #shared, #smem, mutable>
    %u = ttg.async_copy_global_to_local %p, %n mask %k : tensor<512x!tt.ptr<f32>, #blocked> -> <512xf32, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t, %u
    %w = ttg.async_wait %g {num = 0 : i32}
    tt.return
  }

  // Where several threads hold an element, one of them copies.
  // CHECK-LABEL: llvm.func @once
  // CHECK-NOT: nvvm.cp.async.shared
  // CHECK: "@$2 cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 16;", "r,l,b"
  tt.func public @once(%p: tensor<128x!tt.ptr<f32>, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    %t = ttg.async_copy_global_to_local %p, %m {contiguity = 4 : i32} : tensor<128x!tt.ptr<f32>, #blocked> -> <128xf32, #shared, #smem, mutable>
    tt.return
  }
}
