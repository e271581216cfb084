// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -allocate-shared-memory=limit=65536 | FileCheck %s
// RUN: tilescope-opt %s -allocate-shared-memory | FileCheck %s --check-prefix=WHOLE
// RUN: tilescope-opt %s -allocate-shared-memory=limit=65536 -convert-ttg-to-llvm | FileCheck %s --check-prefix=LLVM
// RUN: not tilescope-opt %s -allocate-shared-memory=limit=1024 2>&1 | FileCheck %s --check-prefix=SMALL

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>

// CHECK: ttg.shared = 65536 : i32
// WHOLE: ttg.shared = 131072 : i32
// SMALL: error: out of resource: the kernel needs 16384 bytes of shared memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A block of 128 KiB goes through 64 KiB in two parts.
  // CHECK: ttg.convert_layout {{.*}}allocation.log2_parts = 1 : i32
  // WHOLE-NOT: allocation.log2_parts
  // The second part overwrites the first when that was read.
  // LLVM-LABEL: llvm.func @transposed
  // LLVM-COUNT-32: llvm.store {{.*}}!llvm.ptr<3>
  // LLVM: llvm.nvvm.barrier.cta.sync.aligned.all
  // LLVM-COUNT-32: nvvm.ldmatrix
  // LLVM: llvm.nvvm.barrier.cta.sync.aligned.all
  // LLVM-COUNT-32: llvm.store {{.*}}!llvm.ptr<3>
  // LLVM: llvm.nvvm.barrier.cta.sync.aligned.all
  // LLVM-COUNT-32: nvvm.ldmatrix
  // LLVM-NOT: llvm.nvvm.barrier.cta.sync.aligned.all
  tt.func public @transposed(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %from = tt.splat %x : !tt.ptr<f32> -> tensor<128x256x!tt.ptr<f32>, #rows>
    %block = tt.load %from : tensor<128x256x!tt.ptr<f32>, #rows>
    %moved = ttg.convert_layout %block : tensor<128x256xf32, #rows> -> tensor<128x256xf32, #columns>
    %to = tt.splat %y : !tt.ptr<f32> -> tensor<128x256x!tt.ptr<f32>, #columns>
    tt.store %to, %moved : tensor<128x256x!tt.ptr<f32>, #columns>
    tt.return
  }
}
