// RUN: tilescope-opt %s --tilescope-combine-select-and-if | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// CHECK-LABEL: @merge
// CHECK-SAME: %[[C:.+]]: i1, %[[P:.+]]: !tt.ptr<f32>, %[[X:.+]]: tensor<128xf32, #{{.*}}>, %[[Y:.+]]: tensor
// CHECK-NOT: arith.select
// CHECK: %[[R:.+]] = scf.if %[[C]] -> (tensor<128xf32, #{{.*}}>)
// CHECK: tt.store
// CHECK: scf.yield %[[X]]
// CHECK: scf.yield %[[Y]]
// CHECK: tt.return %[[R]]
tt.func @merge(%c: i1, %p: !tt.ptr<f32>, %x: tensor<128xf32, #b>, %y: tensor<128xf32, #b>) -> tensor<128xf32, #b> {
  %s = arith.select %c, %x, %y : tensor<128xf32, #b>
  scf.if %c {
    %z = arith.constant 0.0 : f32
    tt.store %p, %z : !tt.ptr<f32>
  }
  tt.return %s : tensor<128xf32, #b>
}

// The branch needs the value itself.
// CHECK-LABEL: @used_inside
// CHECK: arith.select
tt.func @used_inside(%c: i1, %p: tensor<128x!tt.ptr<f32>, #b>, %x: tensor<128xf32, #b>, %y: tensor<128xf32, #b>) -> tensor<128xf32, #b> {
  %s = arith.select %c, %x, %y : tensor<128xf32, #b>
  scf.if %c {
    tt.store %p, %s : tensor<128x!tt.ptr<f32>, #b>
  }
  tt.return %s : tensor<128xf32, #b>
}
