// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -loops-to-branches | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A loop and a conditional become blocks; the conditional inside the reduction's function of scalars stays.
  // CHECK-LABEL: @loop
  // CHECK: cf.br ^[[HEAD:.+]](%{{.*}}, %{{.*}} : i32, f32)
  // CHECK: ^[[HEAD]](%[[I:.*]]: i32, %{{.*}}: f32):
  // CHECK: cf.cond_br %{{.*}}, ^[[BODY:.+]], ^[[EXIT:.+]]
  // CHECK: ^[[BODY]]:
  // CHECK: cf.cond_br
  // CHECK: cf.br ^[[HEAD]]
  // CHECK: ^[[EXIT]]:
  // CHECK: "tt.reduce"
  // CHECK: scf.if
  // CHECK: tt.reduce.return
  // CHECK-NOT: scf.for
  tt.func public @loop(%p: !tt.ptr<f32>, %n: i32, %x: tensor<128xf32, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %first = arith.cmpi eq, %i, %c0 : i32
      %next = scf.if %first -> f32 {
        scf.yield %one : f32
      } else {
        %more = arith.addf %acc, %one : f32
        scf.yield %more : f32
      }
      scf.yield %next : f32
    }
    %least = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %less = arith.cmpf olt, %l, %r : f32
      %min = scf.if %less -> f32 {
        scf.yield %l : f32
      } else {
        scf.yield %r : f32
      }
      tt.reduce.return %min : f32
    }) : (tensor<128xf32, #blocked>) -> f32
    %both = arith.addf %sum, %least : f32
    tt.store %p, %both : !tt.ptr<f32>
    tt.return
  }

  // What a predicate guards is a conditional; the last two iterations do not begin the first stage.
  // CHECK-LABEL: @guarded
  // CHECK-DAG: %[[LATER:.+]] = arith.constant 2 : i32
  // CHECK: %[[AHEAD:.+]] = arith.muli %{{.*}}, %[[LATER]]
  // CHECK: %[[END:.+]] = arith.subi %[[N:.+]], %[[AHEAD]]
  // CHECK: %[[P:.+]] = arith.cmpi slt, %{{.*}}, %[[END]]
  // CHECK: cf.cond_br %[[P]], ^[[THEN:.+]], ^[[ELSE:.+]]
  // CHECK: ^[[THEN]]:
  // CHECK: %[[X:.+]] = tt.load
  // CHECK: cf.br ^[[JOIN:.+]](%[[X]] :
  // CHECK: ^[[ELSE]]:
  // CHECK: %[[NONE:.+]] = ub.poison
  // CHECK: cf.br ^[[JOIN]](%[[NONE]] :
  // CHECK: ^[[JOIN]](%[[Y:.+]]: tensor<128xf32
  // CHECK: cf.cond_br %[[P]]
  // CHECK: tt.store %{{.*}}, %[[Y]]
  // CHECK-NOT: ttg.mask
  tt.func public @guarded(%p: tensor<128x!tt.ptr<f32>, #blocked>, %i: i32, %n: i32) {
    %c1 = arith.constant 1 : i32
    %pred = ttg.predicate_stage %i, %n, %c1 maxStage 2 stage 0 : i32 -> i1
    %x = ttg.mask %pred {
      %y = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
      ttg.mask.return %y : tensor<128xf32, #blocked>
    } : tensor<128xf32, #blocked>
    ttg.mask %pred {
      tt.store %p, %x : tensor<128x!tt.ptr<f32>, #blocked>
      ttg.mask.return
    }
    tt.return
  }
}
