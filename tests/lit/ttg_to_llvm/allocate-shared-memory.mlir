// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -allocate-shared-memory | FileCheck %s
// RUN: not tilescope-opt %s -allocate-shared-memory=limit=1000 2>&1 | FileCheck %s --check-prefix=SMALL

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory

// Two of the buffers live at the same time; the third takes the place of the first.
// CHECK: module attributes {{.*}}ttg.shared = 1024 : i32
// SMALL: out of resource: the kernel needs 1024 bytes of shared memory, `cuda:90` has 1000
// SMALL: a buffer of {{.*}}: 512 bytes
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @lives
  // CHECK: ttg.local_alloc {{.*}}allocation.offset = [[FIRST:[0-9]+]] : i32
  // CHECK: ttg.local_alloc {{.*}}allocation.offset = [[SECOND:[0-9]+]] : i32
  // CHECK: ttg.local_alloc {{.*}}allocation.offset = [[FIRST]] : i32
  tt.func public @lives(%x: tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked> {
    %a = ttg.local_alloc %x : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
    %b = ttg.local_alloc %x : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
    %u = ttg.local_load %a : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
    %c = ttg.local_alloc %u : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
    %v = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
    %w = ttg.local_load %c : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
    %s = arith.addf %v, %w : tensor<128xf32, #blocked>
    tt.return %s : tensor<128xf32, #blocked>
  }
}
