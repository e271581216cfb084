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

#row = #ttg.slice<{dim = 0, parent = #t}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// Threads exchange what they loaded behind the last load, before they compute.
// CHECK-LABEL: @exchange_behind_loads
// CHECK: tt.load
// CHECK: tt.load
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.addf
tt.func @exchange_behind_loads(%p: tensor<64x!tt.ptr<f32>, #line>, %q: tensor<64x!tt.ptr<f32>, #row>) -> tensor<64xf32, #row> {
  %v = tt.load %p : tensor<64x!tt.ptr<f32>, #line>
  %w = tt.load %q : tensor<64x!tt.ptr<f32>, #row>
  %e = math.exp %w : tensor<64xf32, #row>
  %c = ttg.convert_layout %v : tensor<64xf32, #line> -> tensor<64xf32, #row>
  %s = arith.addf %c, %e : tensor<64xf32, #row>
  tt.return %s : tensor<64xf32, #row>
}

#a = #ttg.dot_op<{opIdx = 0, parent = #t}>
#b = #ttg.dot_op<{opIdx = 1, parent = #t}>

// Behind a product they need not wait for the loads.
// CHECK-LABEL: @exchange_behind_product
// CHECK: tt.load
// CHECK-NEXT: tt.dot
// CHECK-NEXT: ttg.convert_layout
tt.func @exchange_behind_product(%p: tensor<64x!tt.ptr<f32>, #line>, %x: tensor<64x64xf32, #a>, %y: tensor<64x64xf32, #b>, %z: tensor<64x64xf32, #t>) -> (tensor<64xf32, #row>, tensor<64x64xf32, #t>) {
  %v = tt.load %p : tensor<64x!tt.ptr<f32>, #line>
  %c = ttg.convert_layout %v : tensor<64xf32, #line> -> tensor<64xf32, #row>
  %d = tt.dot %x, %y, %z : tensor<64x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<64x64xf32, #t>
  %s = arith.addf %c, %c : tensor<64xf32, #row>
  tt.return %s, %d : tensor<64xf32, #row>, tensor<64x64xf32, #t>
}
