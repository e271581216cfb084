// RUN: tilescope-opt %s --tilescope-coalesce | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#tile = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>

// CHECK-DAG: #[[ONE:.+]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[FOUR:.+]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[COLUMNS:.+]] = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.num-ctas" = 1 : i32} {

// CHECK-LABEL: @wide_load_and_store
tt.func @wide_load_and_store(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #line>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #line>
  %pp = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>, #line>, tensor<1024xi32, #line>
  // CHECK: %[[P:.+]] = ttg.convert_layout %{{.*}} -> tensor<1024x!tt.ptr<f32>, #[[EIGHT:.+]]>
  // CHECK: %[[V:.+]] = tt.load %[[P]] : tensor<1024x!tt.ptr<f32>, #[[EIGHT]]>
  // CHECK: ttg.convert_layout %[[V]] : tensor<1024xf32, #[[EIGHT]]> -> tensor<1024xf32, #[[ONE]]>
  %v = tt.load %pp : tensor<1024x!tt.ptr<f32>, #line>
  %h = arith.truncf %v : tensor<1024xf32, #line> to tensor<1024xf16, #line>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #line>
  %qp = tt.addptr %qs, %r : tensor<1024x!tt.ptr<f16>, #line>, tensor<1024xi32, #line>
  // The store moves eight halves at once, and the load goes along.
  // CHECK: tt.store %{{.*}} : tensor<1024x!tt.ptr<f16>, #[[EIGHT]]>
  tt.store %qp, %h : tensor<1024x!tt.ptr<f16>, #line>
  tt.return
}

// CHECK-LABEL: @aligned_to_four
tt.func @aligned_to_four(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #line>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #line>
  %pp = tt.addptr %ps, %r : tensor<512x!tt.ptr<f32>, #line>, tensor<512xi32, #line>
  // CHECK: tt.load %{{.*}} : tensor<512x!tt.ptr<f32>, #[[FOUR]]>
  %v = tt.load %pp : tensor<512x!tt.ptr<f32>, #line>
  tt.return
}

// CHECK-LABEL: @unaligned
tt.func @unaligned(%p: !tt.ptr<f32>) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #line>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #line>
  %pp = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>, #line>, tensor<1024xi32, #line>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[ONE]]>
  %v = tt.load %pp : tensor<1024x!tt.ptr<f32>, #line>
  tt.return
}

// Rows lie a runtime stride apart, the first dimension is contiguous.
// CHECK-LABEL: @column_major
tt.func @column_major(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #tile}>>
  %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #tile}>>
  %re = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #tile}>> -> tensor<32x1xi32, #tile>
  %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #tile}>> -> tensor<1x32xi32, #tile>
  %s = tt.splat %stride : i32 -> tensor<1x32xi32, #tile>
  %cs = arith.muli %ce, %s : tensor<1x32xi32, #tile>
  %rb = tt.broadcast %re : tensor<32x1xi32, #tile> -> tensor<32x32xi32, #tile>
  %cb = tt.broadcast %cs : tensor<1x32xi32, #tile> -> tensor<32x32xi32, #tile>
  %o = arith.addi %rb, %cb : tensor<32x32xi32, #tile>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #tile>
  %pp = tt.addptr %ps, %o : tensor<32x32x!tt.ptr<f32>, #tile>, tensor<32x32xi32, #tile>
  // CHECK: tt.load %{{.*}} : tensor<32x32x!tt.ptr<f32>, #[[COLUMNS]]>
  %v = tt.load %pp : tensor<32x32x!tt.ptr<f32>, #tile>
  tt.return
}

// The indices alone are shared: the store of halves does not widen the load.
// CHECK-LABEL: @only_indices_shared
tt.func @only_indices_shared(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %h: tensor<1024xf16, #line>) -> tensor<1024xf32, #line> {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #line>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #line>
  %pp = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>, #line>, tensor<1024xi32, #line>
  // CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[FOUR]]>
  %v = tt.load %pp : tensor<1024x!tt.ptr<f32>, #line>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #line>
  %qp = tt.addptr %qs, %r : tensor<1024x!tt.ptr<f16>, #line>, tensor<1024xi32, #line>
  // CHECK: tt.store %{{.*}} : tensor<1024x!tt.ptr<f16>, #[[EIGHT]]>
  tt.store %qp, %h : tensor<1024x!tt.ptr<f16>, #line>
  tt.return %v : tensor<1024xf32, #line>
}

// What a loop carries from the load to the store is one block of data.
// CHECK-LABEL: @through_a_loop
tt.func @through_a_loop(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #line>
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #line>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #line>
  %pp = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>, #line>, tensor<1024xi32, #line>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1024xf32, #line>) : i32 {
    // CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[EIGHT]]>
    %v = tt.load %pp : tensor<1024x!tt.ptr<f32>, #line>
    %next = arith.addf %acc, %v : tensor<1024xf32, #line>
    scf.yield %next : tensor<1024xf32, #line>
  }
  %h = arith.truncf %sum : tensor<1024xf32, #line> to tensor<1024xf16, #line>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #line>
  %qp = tt.addptr %qs, %r : tensor<1024x!tt.ptr<f16>, #line>, tensor<1024xi32, #line>
  // CHECK: tt.store %{{.*}} : tensor<1024x!tt.ptr<f16>, #[[EIGHT]]>
  tt.store %qp, %h : tensor<1024x!tt.ptr<f16>, #line>
  tt.return
}
}
