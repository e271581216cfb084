// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -allocate-shared-memory -convert-ttg-to-llvm | FileCheck %s

#eight = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // An unused result needs no answer from memory.
  // CHECK-LABEL: llvm.func @add
  // CHECK: red.relaxed.gpu.global.add.f32 [ $0 + 0 ], $1;
  // CHECK-NOT: barrier
  // CHECK: llvm.return
  tt.func public @add(%p: tensor<128x!tt.ptr<f32>, #one>, %v: tensor<128xf32, #one>) {
    %o = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (tensor<128x!tt.ptr<f32>, #one>, tensor<128xf32, #one>) -> tensor<128xf32, #one>
    tt.return
  }

  // Neighbors of a thread are added to together: 16 bytes at a time.
  // CHECK-LABEL: llvm.func @add_vectors
  // CHECK: atom.relaxed.gpu.global.add.noftz.v4.f16x2 { $0, $1, $2, $3 }, [ $4 + 0 ], { $5, $6, $7, $8 };", "=r,=r,=r,=r,l,r,r,r,r"
  // CHECK-NOT: atom.
  // CHECK: llvm.return
  tt.func public @add_vectors(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: tensor<1024xf16, #eight>) -> tensor<1024xf16, #eight> {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #eight>
    %s = tt.splat %p : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #eight>
    %q = tt.addptr %s, %i : tensor<1024x!tt.ptr<f16>, #eight>, tensor<1024xi32, #eight>
    %o = tt.atomic_rmw fadd, relaxed, gpu, %q, %v : (tensor<1024x!tt.ptr<f16>, #eight>, tensor<1024xf16, #eight>) -> tensor<1024xf16, #eight>
    tt.return %o : tensor<1024xf16, #eight>
  }

  // One thread swaps; all get the old value, and what comes after is ordered behind it.
  // CHECK-LABEL: llvm.func @swap
  // CHECK: barrier
  // CHECK: @$1 atom.acq_rel.sys.global.cas.b64 $0, [ $2 + 0 ], $3, $4;
  // CHECK: llvm.store {{.*}} : i64, !llvm.ptr<3>
  // CHECK: barrier
  // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> i64
  // CHECK: barrier
  tt.func public @swap(%p: !tt.ptr<i64>, %c: i64, %v: i64) -> i64 {
    %o = tt.atomic_cas acq_rel, sys, %p, %c, %v : (!tt.ptr<i64>, i64, i64) -> i64
    tt.return %o : i64
  }

  // No instruction finds the larger of two f16: a loop around compare-and-swap will.
  // CHECK-LABEL: llvm.func @largest
  // CHECK: llvm.atomicrmw fmax {{.*}} syncscope("block") monotonic : !llvm.ptr<1>, f16
  tt.func public @largest(%p: tensor<128x!tt.ptr<f16>, #one>, %v: tensor<128xf16, #one>) {
    %o = tt.atomic_rmw max, relaxed, cta, %p, %v : (tensor<128x!tt.ptr<f16>, #one>, tensor<128xf16, #one>) -> tensor<128xf16, #one>
    tt.return
  }

  // One thread reads until it sees the value or the time is up.
  // CHECK-LABEL: llvm.func @poll
  // CHECK: nvvm.read.ptx.sreg.globaltimer
  // CHECK: ^[[LOOP:bb[0-9]+]]:
  // CHECK: ld.acquire.gpu.global.b32 $0, [ $1 + 0 ];
  // CHECK: nvvm.read.ptx.sreg.globaltimer
  // CHECK: llvm.cond_br %{{.*}}, ^[[AFTER:bb[0-9]+]](%{{.*}} : i1), ^[[LOOP]]
  // CHECK: ^[[AFTER]](%{{.*}}: i1):
  // CHECK: llvm.store {{.*}} : i8, !llvm.ptr<3>
  tt.func public @poll(%p: !tt.ptr<i32>, %v: i32, %t: i64) -> i1 {
    %k = tt.atomic_poll acquire, gpu, %p, %v, %t : !tt.ptr<i32>, i32 -> i1
    tt.return %k : i1
  }
}
