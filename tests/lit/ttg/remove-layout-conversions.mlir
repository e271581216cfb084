// RUN: tilescope-opt %s --tilescope-remove-layout-conversions | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#t = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#u = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

#joined = #ttg.blocked<{sizePerThread = [1, 4, 2], threadsPerWarp = [4, 8, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#pairs = #ttg.blocked<{sizePerThread = [1, 4, 2], threadsPerWarp = [4, 8, 1], warpsPerCTA = [4, 1, 1], order = [1, 2, 0]}>

// CHECK-DAG: #[[B:.+]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[U:.+]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#halves = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#eight = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#near = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [0, 1]}>
#tile = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #tile, kWidth = 1}>
#right = #ttg.dot_op<{opIdx = 1, parent = #tile, kWidth = 1}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.num-ctas" = 1 : i32} {

// A gather takes the layout of its source where that is within warps, and its indices come to it.
// CHECK-LABEL: @gathered
// CHECK-NEXT: %[[AT:.*]] = ttg.convert_layout %arg1
// CHECK-NEXT: %[[ROWS:.*]] = tt.load
// CHECK-NEXT: %[[MOVED:.*]] = tt.gather %[[ROWS]][%[[AT]]]
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.store %arg0, %[[MOVED]]
tt.func @gathered(%p: tensor<16x32x!tt.ptr<f32>, #eight>, %i: tensor<16x32xi32, #columns>) {
  %v = tt.load %p : tensor<16x32x!tt.ptr<f32>, #eight>
  %c = ttg.convert_layout %v : tensor<16x32xf32, #eight> -> tensor<16x32xf32, #columns>
  %g = tt.gather %c[%i] {axis = 1 : i32} : (tensor<16x32xf32, #columns>, tensor<16x32xi32, #columns>) -> tensor<16x32xf32, #columns>
  %r = ttg.convert_layout %g : tensor<16x32xf32, #columns> -> tensor<16x32xf32, #eight>
  tt.store %p, %r : tensor<16x32x!tt.ptr<f32>, #eight>
  tt.return
}

// What is widened moves between warps before that: half the bytes. Within a warp as much moves either way.
// CHECK-LABEL: @widened_behind
// CHECK: %[[NARROW:.*]] = tt.load
// CHECK: %[[MOVED:.*]] = ttg.convert_layout %[[NARROW]] : tensor<32x16xf16
// CHECK: arith.extf %[[MOVED]]
// CHECK-LABEL: @widened_before
// CHECK: %[[WIDE:.*]] = arith.extf
// CHECK: ttg.convert_layout %[[WIDE]] : tensor<32x16xf32
tt.func @widened_behind(%p: tensor<32x16x!tt.ptr<f16>, #rows>) -> tensor<32x16xf32, #columns> {
  %v = tt.load %p : tensor<32x16x!tt.ptr<f16>, #rows>
  %w = arith.extf %v : tensor<32x16xf16, #rows> to tensor<32x16xf32, #rows>
  %c = ttg.convert_layout %w : tensor<32x16xf32, #rows> -> tensor<32x16xf32, #columns>
  tt.return %c : tensor<32x16xf32, #columns>
}
tt.func @widened_before(%p: tensor<32x16x!tt.ptr<f16>, #rows>) -> tensor<32x16xf32, #near> {
  %v = tt.load %p : tensor<32x16x!tt.ptr<f16>, #rows>
  %w = arith.extf %v : tensor<32x16xf16, #rows> to tensor<32x16xf32, #rows>
  %c = ttg.convert_layout %w : tensor<32x16xf32, #rows> -> tensor<32x16xf32, #near>
  tt.return %c : tensor<32x16xf32, #near>
}

// The layout of the load goes forward, that of the store's address backward.
// CHECK-LABEL: @forward_and_backward
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.make_range {{.*}} : tensor<1024xi32, #[[B]]>
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[B]]>
// CHECK: math.exp %{{.*}} : tensor<1024xf32, #[[B]]>
// CHECK: tt.store %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[B]]>
// CHECK-NOT: ttg.convert_layout
tt.func @forward_and_backward(%p: !tt.ptr<f32>) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #a>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #a>
  %pp = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>, #a>, tensor<1024xi32, #a>
  %q = ttg.convert_layout %pp : tensor<1024x!tt.ptr<f32>, #a> -> tensor<1024x!tt.ptr<f32>, #b>
  %v = tt.load %q : tensor<1024x!tt.ptr<f32>, #b>
  %w = ttg.convert_layout %v : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
  %e = math.exp %w : tensor<1024xf32, #a>
  %f = ttg.convert_layout %e : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  tt.store %q, %f : tensor<1024x!tt.ptr<f32>, #b>
  tt.return
}

// A pointer that a loop carries gets a new argument, and the old one goes.
// CHECK-LABEL: @through_loops
// CHECK-NOT: ttg.convert_layout
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<1024xf32, #[[B]]>, tensor<1024x!tt.ptr<f32>, #[[B]]>)
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.return
tt.func @through_loops(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #a>
  %step = arith.constant dense<1024> : tensor<1024xi32, #a>
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #a>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #a>
  %first = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>, #a>, tensor<1024xi32, #a>
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%pp = %first, %acc = %zero) -> (tensor<1024x!tt.ptr<f32>, #a>, tensor<1024xf32, #a>) : i32 {
    %q = ttg.convert_layout %pp : tensor<1024x!tt.ptr<f32>, #a> -> tensor<1024x!tt.ptr<f32>, #b>
    %v = tt.load %q : tensor<1024x!tt.ptr<f32>, #b>
    %w = ttg.convert_layout %v : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
    %sum = arith.addf %acc, %w : tensor<1024xf32, #a>
    %next = tt.addptr %pp, %step : tensor<1024x!tt.ptr<f32>, #a>, tensor<1024xi32, #a>
    scf.yield %next, %sum : tensor<1024x!tt.ptr<f32>, #a>, tensor<1024xf32, #a>
  }
  %o = ttg.convert_layout %first : tensor<1024x!tt.ptr<f32>, #a> -> tensor<1024x!tt.ptr<f32>, #b>
  %x = ttg.convert_layout %s#1 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  tt.store %o, %x : tensor<1024x!tt.ptr<f32>, #b>
  tt.return
}

// One value in two layouts: rows and columns of the same range.
// CHECK-LABEL: @two_layouts_of_one_range
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.load %{{.*}} : tensor<32x32x!tt.ptr<f32>, #[[U]]>
tt.func @two_layouts_of_one_range(%p: !tt.ptr<f32>) -> tensor<32x32xf32, #u> {
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #a>
  %r0 = ttg.convert_layout %r : tensor<32xi32, #a> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #t}>>
  %r1 = ttg.convert_layout %r : tensor<32xi32, #a> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #t}>>
  %e0 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #t}>> -> tensor<32x1xi32, #t>
  %e1 = tt.expand_dims %r1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #t}>> -> tensor<1x32xi32, #t>
  %b0 = tt.broadcast %e0 : tensor<32x1xi32, #t> -> tensor<32x32xi32, #t>
  %b1 = tt.broadcast %e1 : tensor<1x32xi32, #t> -> tensor<32x32xi32, #t>
  %m = arith.muli %b0, %b1 : tensor<32x32xi32, #t>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #t>
  %pp = tt.addptr %ps, %m : tensor<32x32x!tt.ptr<f32>, #t>, tensor<32x32xi32, #t>
  %q = ttg.convert_layout %pp : tensor<32x32x!tt.ptr<f32>, #t> -> tensor<32x32x!tt.ptr<f32>, #u>
  %v = tt.load %q : tensor<32x32x!tt.ptr<f32>, #u>
  tt.return %v : tensor<32x32xf32, #u>
}

// A load is not repeated: what is converted is what it costs least to convert.
// CHECK-LABEL: @convert_before_growing
// CHECK: %[[V:.+]] = tt.load
// CHECK: %[[C:.+]] = ttg.convert_layout %[[V]] : tensor<128xf32, {{.*}}> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #[[U]]}>>
// CHECK: tt.expand_dims %[[C]]
// CHECK: tt.broadcast {{.*}} -> tensor<64x128xf32, #[[U]]>
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.return
tt.func @convert_before_growing(%p: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #t}>>) -> tensor<64x128xf32, #u> {
  %v = tt.load %p : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #t}>>
  %e = tt.expand_dims %v {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #t}>> -> tensor<1x128xf32, #t>
  %b = tt.broadcast %e : tensor<1x128xf32, #t> -> tensor<64x128xf32, #t>
  %c = ttg.convert_layout %b : tensor<64x128xf32, #t> -> tensor<64x128xf32, #u>
  tt.return %c : tensor<64x128xf32, #u>
}

// A reduction to a scalar takes its source as it is.
// CHECK-LABEL: @reduce_to_scalar
// CHECK-NOT: ttg.convert_layout
// CHECK: (tensor<1024xf32, #[[B]]>) -> f32
tt.func @reduce_to_scalar(%p: tensor<1024x!tt.ptr<f32>, #b>) -> f32 {
  %v = tt.load %p : tensor<1024x!tt.ptr<f32>, #b>
  %w = ttg.convert_layout %v : tensor<1024xf32, #b> -> tensor<1024xf32, #a>
  %r = "tt.reduce"(%w) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<1024xf32, #a>) -> f32
  tt.return %r : f32
}

// Both sides of a branch give their value in the wanted layout.
// CHECK-LABEL: @through_branches
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.return
tt.func @through_branches(%p: !tt.ptr<f32>, %n: i32, %c: i1) -> tensor<1024xf32, #b> {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #a>
  %s = scf.if %c -> (tensor<1024xi32, #a>) {
    %k = tt.splat %n : i32 -> tensor<1024xi32, #a>
    %m = arith.muli %r, %k : tensor<1024xi32, #a>
    scf.yield %m : tensor<1024xi32, #a>
  } else {
    scf.yield %r : tensor<1024xi32, #a>
  }
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #a>
  %pp = tt.addptr %ps, %s : tensor<1024x!tt.ptr<f32>, #a>, tensor<1024xi32, #a>
  %q = ttg.convert_layout %pp : tensor<1024x!tt.ptr<f32>, #a> -> tensor<1024x!tt.ptr<f32>, #b>
  %v = tt.load %q : tensor<1024x!tt.ptr<f32>, #b>
  tt.return %v : tensor<1024xf32, #b>
}

// A join has one layout for each layout of its operands: the order of the stored one is not among them.
// CHECK-LABEL: @join_has_its_own_order
// CHECK: tt.join
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.store
tt.func @join_has_its_own_order(%x: f32, %p: tensor<16x32x2x!tt.ptr<f32>, #pairs>) {
  %a = tt.splat %x : f32 -> tensor<16x32xf32, #u>
  %j = tt.join %a, %a : tensor<16x32xf32, #u> -> tensor<16x32x2xf32, #joined>
  %c = ttg.convert_layout %j : tensor<16x32x2xf32, #joined> -> tensor<16x32x2xf32, #pairs>
  tt.store %p, %c : tensor<16x32x2x!tt.ptr<f32>, #pairs>
  tt.return
}

// What is computed from a dot's factor stays in the factor's layout: one conversion, not two.
// CHECK-LABEL: @parts_of_a_factor
// CHECK: %[[V:.+]] = tt.load
// CHECK-NEXT: %[[F:.+]] = ttg.convert_layout %[[V]] : {{.*}} -> tensor<16x16xf32, #ttg.dot_op
// CHECK-NOT: ttg.convert_layout
// CHECK: %[[N:.+]] = arith.negf %[[F]] : tensor<16x16xf32, #ttg.dot_op
// CHECK: tt.dot %[[F]]
// CHECK: tt.dot %[[N]]
tt.func @parts_of_a_factor(%p: tensor<16x16x!tt.ptr<f32>, #rows> {tt.contiguity = dense<[1, 16]> : tensor<2xi32>}, %y: tensor<16x16xf32, #right>, %c: tensor<16x16xf32, #tile>) -> tensor<16x16xf32, #tile> {
  %v = tt.load %p : tensor<16x16x!tt.ptr<f32>, #rows>
  %f = ttg.convert_layout %v : tensor<16x16xf32, #rows> -> tensor<16x16xf32, #left>
  %n = arith.negf %f : tensor<16x16xf32, #left>
  %d = tt.dot %f, %y, %c, inputPrecision = tf32 : tensor<16x16xf32, #left> * tensor<16x16xf32, #right> -> tensor<16x16xf32, #tile>
  %e = tt.dot %n, %y, %d, inputPrecision = tf32 : tensor<16x16xf32, #left> * tensor<16x16xf32, #right> -> tensor<16x16xf32, #tile>
  tt.return %e : tensor<16x16xf32, #tile>
}

// A branch in a loop that passes on what the loop carries: looking for the value in the branch leads
// around the loop, and back to the branch.
// CHECK-LABEL: @around_through_a_branch
// CHECK: scf.for {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (tensor<1024xi32, #[[B]]>)
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[B]]>
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.return
tt.func @around_through_a_branch(%p: !tt.ptr<f32>, %n: i32, %o: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #a>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>
  %os = tt.splat %o : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%at = %r) -> (tensor<1024xi32, #a>) : i32 {
    %is = arith.cmpi eq, %i, %c1 : i32
    %next = scf.if %is -> (tensor<1024xi32, #a>) {
      %is2 = tt.splat %i : i32 -> tensor<1024xi32, #a>
      %moved = arith.addi %r, %is2 : tensor<1024xi32, #a>
      scf.yield %moved : tensor<1024xi32, #a>
    } else {
      scf.yield %at : tensor<1024xi32, #a>
    }
    %in = ttg.convert_layout %next : tensor<1024xi32, #a> -> tensor<1024xi32, #b>
    %pp = tt.addptr %ps, %in : tensor<1024x!tt.ptr<f32>, #b>, tensor<1024xi32, #b>
    %v = tt.load %pp : tensor<1024x!tt.ptr<f32>, #b>
    tt.store %os, %v : tensor<1024x!tt.ptr<f32>, #b>
    scf.yield %next : tensor<1024xi32, #a>
  }
  tt.return
}

// One conversion takes the row to its place in the tile, not one on each side of its new dimension.
// CHECK-LABEL: @row_of_a_tile
// CHECK: %[[ROW:.+]] = ttg.convert_layout %{{.*}} : tensor<128xf32, #{{.+}}> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #[[U]]}>>
// CHECK-NEXT: tt.expand_dims %[[ROW]] {axis = 0 : i32}
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.store
tt.func @row_of_a_tile(%p: tensor<128x!tt.ptr<f32>, #b>, %q: tensor<16x128x!tt.ptr<f32>, #u>, %x: tensor<16x128xf32, #u>) {
  %v = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %s = ttg.convert_layout %v : tensor<128xf32, #b> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #t}>>
  %e = tt.expand_dims %s {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #t}>> -> tensor<1x128xf32, #t>
  %c = ttg.convert_layout %e : tensor<1x128xf32, #t> -> tensor<1x128xf32, #u>
  %w = tt.broadcast %c : tensor<1x128xf32, #u> -> tensor<16x128xf32, #u>
  %sum = arith.addf %w, %x : tensor<16x128xf32, #u>
  tt.store %q, %sum : tensor<16x128x!tt.ptr<f32>, #u>
  tt.return
}

// Elements that may take any order still stay in their threads: here each thread needs two of them,
// and has one.
// CHECK-LABEL: @any_order_keeps_registers
// CHECK: %[[PAIRS:.+]] = tt.reshape %{{.*}} allow_reorder : tensor<64xf32, #[[A:.+]]> -> tensor<32x2xf32, #[[L:.+]]>
// CHECK: ttg.convert_layout %[[PAIRS]] : tensor<32x2xf32, #[[L]]> -> tensor<32x2xf32, #{{.+}}>
tt.func @any_order_keeps_registers(%x: tensor<64xf32, #a>) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #halves}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #halves}>>) {
  %p = tt.reshape %x allow_reorder : tensor<64xf32, #a> -> tensor<32x2xf32, #lanes>
  %c = ttg.convert_layout %p : tensor<32x2xf32, #lanes> -> tensor<32x2xf32, #halves>
  %l, %r = tt.split %c : tensor<32x2xf32, #halves> -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #halves}>>
  tt.return %l, %r : tensor<32xf32, #ttg.slice<{dim = 1, parent = #halves}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #halves}>>
}

// Where each thread has what it needs, nothing is moved.
// CHECK-LABEL: @any_order_moves_nothing
// CHECK: tt.reshape %{{.*}} allow_reorder : tensor<256xf32, #{{.+}}> -> tensor<128x2xf32, #[[H:.+]]>
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.split
tt.func @any_order_moves_nothing(%x: tensor<256xf32, #a>) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #halves}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #halves}>>) {
  %p = tt.reshape %x allow_reorder : tensor<256xf32, #a> -> tensor<128x2xf32, #lanes>
  %c = ttg.convert_layout %p : tensor<128x2xf32, #lanes> -> tensor<128x2xf32, #halves>
  %l, %r = tt.split %c : tensor<128x2xf32, #halves> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #halves}>>
  tt.return %l, %r : tensor<128xf32, #ttg.slice<{dim = 1, parent = #halves}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #halves}>>
}
}
