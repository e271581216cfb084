// RUN: tilescope-opt %s --tilescope-reorder-instructions | FileCheck %s

#t = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>

// CHECK-LABEL: @late_broadcast
// CHECK: tt.load
// CHECK-NEXT: tt.broadcast
// CHECK-NEXT: arith.addf
tt.func @late_broadcast(%x: tensor<64x1xf32, #t>, %p: tensor<64x64x!tt.ptr<f32>, #t>) -> tensor<64x64xf32, #t> {
  %b = tt.broadcast %x : tensor<64x1xf32, #t> -> tensor<64x64xf32, #t>
  %v = tt.load %p : tensor<64x64x!tt.ptr<f32>, #t>
  %s = arith.addf %b, %v : tensor<64x64xf32, #t>
  tt.return %s : tensor<64x64xf32, #t>
}

// CHECK-LABEL: @early_view
// CHECK: tt.load
// CHECK-NEXT: tt.trans
tt.func @early_view(%p: tensor<64x64x!tt.ptr<f32>, #t>, %q: !tt.ptr<f32>) -> tensor<64x64xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>> {
  %v = tt.load %p : tensor<64x64x!tt.ptr<f32>, #t>
  %z = arith.constant 0.0 : f32
  tt.store %q, %z : !tt.ptr<f32>
  %w = tt.trans %v {order = array<i32: 1, 0>} : tensor<64x64xf32, #t> -> tensor<64x64xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>>
  tt.return %w : tensor<64x64xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>>
}
