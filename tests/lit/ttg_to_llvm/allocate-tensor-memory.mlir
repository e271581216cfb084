// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -allocate-shared-memory -allocate-tensor-memory | FileCheck %s

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>

// Two buffers of 64 columns live at the same time; the third takes the place of the first. The hardware says in
// a word of shared memory which columns the kernel got.
// CHECK: module attributes {{.*}}ttg.shared = 16 : i32, {{.*}}ttg.tensor_memory_size = 128 : i32
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: @lives
  // CHECK: ttng.tmem_alloc {{.*}}allocation.offset = [[FIRST:[0-9]+]] : i32
  // CHECK: ttng.tmem_alloc {{.*}}allocation.offset = [[SECOND:[0-9]+]] : i32
  // CHECK: ttng.tmem_alloc {{.*}}allocation.offset = [[FIRST]] : i32
  tt.func public @lives(%x: tensor<128x64xf32, #linear>) {
    %a = ttng.tmem_alloc %x : (tensor<128x64xf32, #linear>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
    %b = ttng.tmem_alloc %x : (tensor<128x64xf32, #linear>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
    %u = ttng.tmem_load %a : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory> -> tensor<128x64xf32, #linear>
    %c = ttng.tmem_alloc %u : (tensor<128x64xf32, #linear>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
    %v = ttng.tmem_load %b : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory> -> tensor<128x64xf32, #linear>
    %w = ttng.tmem_load %c : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory> -> tensor<128x64xf32, #linear>
    tt.return
  }
}
