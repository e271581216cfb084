// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -insert-trace-marks | FileCheck %s
// RUN: tilescope-opt %s -split-input-file -insert-trace-marks="kinds=wait,barrier programs=3,7 warps=1 records=64" | FileCheck %s --check-prefix=SOME
// RUN: tilescope-opt %s -split-input-file -insert-trace-marks --mlir-print-debuginfo | FileCheck %s --check-prefix=PLACES
// RUN: not tilescope-opt %s -split-input-file -insert-trace-marks="kinds=loads" 2>&1 | FileCheck %s --check-prefix=KINDS
// KINDS: a trace has no operations of the kind `loads`

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// The scopes stand in the module, with the places of their operations.
// CHECK: module attributes {{.*}}trace.programs = array<i64: 0>, trace.records = 1024 : i32, trace.warps = array<i32: 0, 1, 2, 3>
// CHECK-NEXT: trace.scope 1 "load" "tt.load" queue 1 starts 1
// CHECK-NEXT: trace.scope 2 "load" "tt.load" queue 2 starts 1
// CHECK-NEXT: trace.scope 3 "wait" "tt.load" queue 1 leaves 0
// CHECK-NEXT: trace.scope 4 "wait" "tt.load" queue 2 leaves 0
// CHECK-NEXT: trace.scope 5 "store" "tt.store"
// PLACES: trace.scope 1 "load" "tt.load" queue 1 starts 1 loc(#[[LOAD:loc[0-9]*]])
// PLACES: trace.mark {{.*}} begins 1 loc(#[[LOAD]])
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // One mark between two loads; the values are waited for in front of their first use.
  // CHECK-LABEL: @loads
  // CHECK-NEXT: %[[W:.*]] = trace.open programs [0] warps [0, 1, 2, 3] records 1024
  // CHECK-NEXT: trace.mark %[[W]] begins 1
  // CHECK-NEXT: %[[A:.*]] = tt.load
  // CHECK-NEXT: trace.mark %[[W]] ends 1 begins 2
  // CHECK-NEXT: %[[B:.*]] = tt.load
  // CHECK-NEXT: trace.mark %[[W]] ends 2
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: trace.mark %[[W]] begins 3
  // CHECK-NEXT: trace.mark %[[W]] ends 3 begins 4 after %[[A]] : tensor<128xf32, #blocked>
  // CHECK-NEXT: trace.mark %[[W]] ends 4 after %[[B]] : tensor<128xf32, #blocked>
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: trace.mark %[[W]] begins 5
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: trace.mark %[[W]] ends 5
  // CHECK-NEXT: trace.close %[[W]]
  // CHECK-NEXT: tt.return
  tt.func public @loads(%p: tensor<128x!tt.ptr<f32>, #blocked>, %q: tensor<128x!tt.ptr<f32>, #blocked>, %n: i32) {
    %a = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    %b = tt.load %q : tensor<128x!tt.ptr<f32>, #blocked>
    %m = arith.addi %n, %n : i32
    %s = arith.addf %a, %b : tensor<128xf32, #blocked>
    tt.store %p, %s : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// CHECK: trace.scope 1 "copy" "ttg.async_copy_global_to_local" queue 1 starts 1
// CHECK-NEXT: trace.scope 2 "wait" "ttg.async_wait" queue 1 leaves 0
// CHECK-NEXT: trace.scope 3 "barrier" "ttg.barrier"
// CHECK-NEXT: trace.scope 4 "product" "tt.dot"
// SOME: trace.programs = array<i64: 3, 7>, trace.records = 64 : i32, trace.warps = array<i32: 1>{{.*}}cuda:80
// SOME-NEXT: trace.scope 1 "wait" "ttg.async_wait" queue 1 leaves 0
// SOME-NEXT: trace.scope 2 "barrier" "ttg.barrier"
// SOME-NEXT: tt.func
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // A copy ends with its group, and a product has its operands' loads in it.
  // CHECK-LABEL: @product
  // CHECK: trace.mark %[[W:.*]] begins 1
  // CHECK-NEXT: ttg.async_copy_global_to_local
  // CHECK-NEXT: ttg.async_commit_group
  // CHECK-NEXT: trace.mark %[[W]] ends 1 begins 2
  // CHECK-NEXT: ttg.async_wait
  // CHECK-NEXT: trace.mark %[[W]] ends 2 begins 3
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: trace.mark %[[W]] ends 3 begins 4
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: tt.dot
  // CHECK-NEXT: trace.mark %[[W]] ends 4
  // SOME-LABEL: @product
  // SOME-NEXT: trace.open programs [3, 7] warps [1] records 64
  // SOME: ttg.async_commit_group
  // SOME-NEXT: trace.mark %[[W:.*]] begins 1
  // SOME-NEXT: ttg.async_wait
  // SOME-NEXT: trace.mark %[[W]] ends 1 begins 2
  // SOME-NEXT: ttg.barrier local
  // SOME-NEXT: trace.mark %[[W]] ends 2
  // SOME-NOT: trace.mark
  // SOME: tt.return
  tt.func public @product(%p: tensor<64x32x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %n: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %c: tensor<64x64xf32, #mma>) {
    %t = ttg.async_copy_global_to_local %p, %m : tensor<64x32x!tt.ptr<f16>, #blocked> -> <64x32xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    %w = ttg.async_wait %g {num = 0 : i32}
    ttg.barrier local
    %x = ttg.local_load %m : !ttg.memdesc<64x32xf16, #shared, #smem, mutable> -> tensor<64x32xf16, #a>
    %y = ttg.local_load %n : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> tensor<32x64xf16, #b>
    %d = tt.dot %x, %y, %c : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
// Warps with code of their own go on behind what they have recorded; the eight include those that fill up a group.
// CHECK: module attributes {{.*}}trace.warps = array<i32: 0, 1, 2, 3, 4, 5, 6, 7>
// A barrier object is a queue, whose oldest piece a wait takes.
// CHECK-NEXT: trace.scope 1 "wait" "ttng.wait_barrier" queue 1
// CHECK-NEXT: trace.scope 2 "barrier" "ttg.barrier"
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @groups
  // CHECK-NEXT: %[[W:.*]] = trace.open programs [0] warps [0, 1, 2, 3, 4, 5, 6, 7] records 1024{{$}}
  // CHECK: trace.mark %[[W]] begins 1
  // CHECK-NEXT: ttng.wait_barrier
  // CHECK-NEXT: trace.mark %[[W]] ends 1
  // CHECK-NEXT: ttg.warp_yield
  // CHECK: partition0
  // CHECK-NEXT: %[[V:.*]] = trace.open programs [0] warps [0, 1, 2, 3, 4, 5, 6, 7] records 1024 resumes
  // CHECK: trace.mark %[[V]] begins 2
  // CHECK-NEXT: ttg.barrier
  // CHECK-NEXT: trace.mark %[[V]] ends 2
  // CHECK: trace.close %[[V]]
  // CHECK-NEXT: ttg.warp_return
  // CHECK: trace.close %[[W]]
  // CHECK-NEXT: tt.return
  tt.func public @groups(%p: !tt.ptr<i32>) {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttg.warp_specialize(%bar)
    default {
      %zero = arith.constant 0 : i32
      ttng.wait_barrier %bar, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
      ttg.warp_yield
    }
    partition0(%b: !ttg.memdesc<1xi64, #bar, #smem, mutable>) num_warps(2) {
      ttg.barrier local
      ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
      ttg.warp_return
    } : (!ttg.memdesc<1xi64, #bar, #smem, mutable>) -> ()
    tt.return
  }
  // Functions that kernels call are not traced.
  // CHECK-LABEL: @called
  // CHECK-NOT: trace.
  // CHECK: tt.return
  tt.func private @called(%p: !tt.ptr<i32>) -> i32 {
    %v = tt.load %p : !tt.ptr<i32>
    tt.return %v : i32
  }
}
