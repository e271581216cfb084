// RUN: tilescope-opt %s --tilescope-hoist-invariants | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// CHECK-LABEL: @load_leaves_the_loop
// CHECK: %[[ANY:.+]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: %[[GUARD:.+]] = tt.splat %[[ANY]] : i1 -> tensor<128xi1, #{{.*}}>
// CHECK: %[[MASK:.+]] = arith.andi %{{.*}}, %[[GUARD]]
// CHECK: tt.load %{{.*}}, %[[MASK]]
// CHECK: math.exp
// CHECK: scf.for
// CHECK-NOT: tt.load
tt.func @load_leaves_the_loop(%p: tensor<128x!tt.ptr<f32>, #b>, %m: tensor<128xi1, #b>, %n: i32) -> tensor<128xf32, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<128xf32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<128xf32, #b>) : i32 {
    %v = tt.load %p, %m : tensor<128x!tt.ptr<f32>, #b>
    %e = math.exp %v : tensor<128xf32, #b>
    %s = arith.addf %a, %e : tensor<128xf32, #b>
    scf.yield %s : tensor<128xf32, #b>
  }
  tt.return %r : tensor<128xf32, #b>
}

// What the loop stores may be what it loads.
// CHECK-LABEL: @stores_keep_loads_inside
// CHECK: scf.for
// CHECK: tt.load
tt.func @stores_keep_loads_inside(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v = tt.load %p : !tt.ptr<f32>
    tt.store %q, %v : !tt.ptr<f32>
  }
  tt.return
}
