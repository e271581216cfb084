// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -allocate-global-scratch | FileCheck %s

// Places keep their alignment: the second begins at the next multiple of 128, and the part of a program is a
// multiple of the largest alignment.
// CHECK: module attributes {{.*}}ttg.global_scratch_memory_alignment = 128 : i32, ttg.global_scratch_memory_size = 384 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @two
  // CHECK: ttg.global_scratch_alloc {{.*}}alignment = 4 : i32{{.*}}nbytes = 100 : i32{{.*}}offset = 0 : i32
  // CHECK: ttg.global_scratch_alloc {{.*}}alignment = 128 : i32{{.*}}nbytes = 130 : i32{{.*}}offset = 128 : i32
  tt.func public @two() {
    %a = ttg.global_scratch_alloc {alignment = 4 : i32, nbytes = 100 : i32} : !tt.ptr<i8>
    %b = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 130 : i32} : !tt.ptr<i8>
    tt.return
  }
}

// -----

// A module without scratch stays as it is.
// CHECK: module attributes
// CHECK-NOT: global_scratch
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @none() {
    tt.return
  }
}
