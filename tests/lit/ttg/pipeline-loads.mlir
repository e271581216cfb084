// RUN: tilescope-opt %s --split-input-file --tilescope-pipeline-loads=num-stages=3 | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

// Two iterations are loaded before the loop; inside, one wait leaves the youngest copy under way, the copy of the
// iteration after next starts, and the product reads its slot.
// CHECK-LABEL: @product
// CHECK: %[[RING:.+]] = ttg.local_alloc : () -> !ttg.memdesc<3x32x32xf16, #shared, #smem, mutable>
// CHECK: ttg.memdesc_index %[[RING]]
// CHECK: ttg.async_copy_global_to_local {{.*}} mask
// CHECK: ttg.async_commit_group
// CHECK: ttg.async_copy_global_to_local {{.*}} mask
// CHECK: ttg.async_commit_group
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK: ttg.async_copy_global_to_local {{.*}} mask
// CHECK: ttg.async_commit_group
// CHECK: %[[SLOT:.+]] = ttg.memdesc_index %[[RING]]
// CHECK: %[[A:.+]] = ttg.local_load %[[SLOT]] : {{.*}} -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 0
// CHECK: tt.dot %[[A]]
// CHECK: }
// CHECK: ttg.async_wait {num = 0 : i32}
// CHECK: ttg.local_dealloc %[[RING]]
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  tt.func @product(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf16, #b>, %n: i32) -> tensor<32x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %step = arith.constant dense<32> : tensor<32x32xi32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %offsets = tt.broadcast %row : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %first = tt.addptr %bases, %offsets : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first) -> (tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>) : i32 {
      %x = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
      %a = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #a>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
      %q = tt.addptr %p, %step : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %d, %q : tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    tt.return %r#0 : tensor<32x32xf32, #mma>
  }

  // The loop stores elsewhere, once per iteration, behind the copies of iterations to come.
  // CHECK-LABEL: @stores
  // CHECK-NOT: tt.store
  // CHECK: scf.for
  // CHECK-NOT: tt.load
  // CHECK: ttg.async_copy_global_to_local
  // CHECK: tt.dot
  // CHECK: tt.store %{{.*}}, %{{[^,]*}} : !tt.ptr<i32>
  tt.func @stores(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf16, #b>, %n: i32, %out: !tt.ptr<i32>) -> tensor<32x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %step = arith.constant dense<32> : tensor<32x32xi32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %offsets = tt.broadcast %row : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %first = tt.addptr %bases, %offsets : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first) -> (tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>) : i32 {
      %x = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
      %a = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #a>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
      tt.store %out, %i : !tt.ptr<i32>
      %q = tt.addptr %p, %step : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %d, %q : tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    tt.return %r#0 : tensor<32x32xf32, #mma>
  }

  // A branch with a store runs as often as before: its condition is the program's own.
  // CHECK-LABEL: @stores_in_branch
  // CHECK-NOT: tt.store
  // CHECK: scf.for
  // CHECK-NOT: tt.load
  // CHECK: ttg.async_copy_global_to_local
  // CHECK: %[[LAST:.+]] = arith.cmpi eq
  // CHECK: scf.if %[[LAST]] {
  // CHECK-NEXT: tt.store
  tt.func @stores_in_branch(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf16, #b>, %n: i32, %out: !tt.ptr<i32>) -> tensor<32x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %step = arith.constant dense<32> : tensor<32x32xi32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %offsets = tt.broadcast %row : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %first = tt.addptr %bases, %offsets : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first) -> (tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>) : i32 {
      %x = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
      %a = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #a>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
      %last = arith.cmpi eq, %i, %c1 : i32
      scf.if %last {
        tt.store %out, %i : !tt.ptr<i32>
      }
      %q = tt.addptr %p, %step : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %d, %q : tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    tt.return %r#0 : tensor<32x32xf32, #mma>
  }

  // CHECK-LABEL: @adds_up_atomically
  // CHECK: scf.for
  // CHECK-NOT: tt.load
  // CHECK: ttg.async_copy_global_to_local
  // CHECK: tt.atomic_rmw add
  tt.func @adds_up_atomically(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf16, #b>, %n: i32, %out: !tt.ptr<i32>) -> tensor<32x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %step = arith.constant dense<32> : tensor<32x32xi32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %offsets = tt.broadcast %row : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %first = tt.addptr %bases, %offsets : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first) -> (tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>) : i32 {
      %x = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
      %a = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #a>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
      %true = arith.constant true
      %old = tt.atomic_rmw add, relaxed, gpu, %out, %i, %true : (!tt.ptr<i32>, i32, i1) -> i32
      %q = tt.addptr %p, %step : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %d, %q : tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    tt.return %r#0 : tensor<32x32xf32, #mma>
  }

  // The program looks at what other programs wrote: no load moves across.
  // CHECK-LABEL: @takes_a_ticket
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK-NOT: ttg.async_copy_global_to_local
  tt.func @takes_a_ticket(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf16, #b>, %n: i32, %out: !tt.ptr<i32>) -> tensor<32x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %step = arith.constant dense<32> : tensor<32x32xi32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %offsets = tt.broadcast %row : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %first = tt.addptr %bases, %offsets : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first) -> (tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>) : i32 {
      %x = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
      %a = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #a>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
      %true = arith.constant true
      %old = tt.atomic_rmw add, acq_rel, gpu, %out, %i, %true : (!tt.ptr<i32>, i32, i1) -> i32
      tt.store %out, %old : !tt.ptr<i32>
      %q = tt.addptr %p, %step : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %d, %q : tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    tt.return %r#0 : tensor<32x32xf32, #mma>
  }

  // What the loop writes, a later iteration may read: nothing is loaded ahead.
  // CHECK-LABEL: @writes_what_it_reads
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK-NOT: ttg.async_copy_global_to_local
  tt.func @writes_what_it_reads(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf16, #b>, %n: i32, %out: !tt.ptr<i32>) -> tensor<32x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %step = arith.constant dense<32> : tensor<32x32xi32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %offsets = tt.broadcast %row : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %first = tt.addptr %bases, %offsets : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first) -> (tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>) : i32 {
      %x = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
      %a = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #a>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
      tt.store %p, %x : tensor<32x32x!tt.ptr<f16>, #blocked>
      %q = tt.addptr %p, %step : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %d, %q : tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    tt.return %r#0 : tensor<32x32xf32, #mma>
  }

  // Where the stored pointer comes from is not followed through `scf.while`: it may be anywhere.
  // CHECK-LABEL: @writes_somewhere
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK-NOT: ttg.async_copy_global_to_local
  tt.func @writes_somewhere(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf16, #b>, %n: i32, %out: !tt.ptr<i32>) -> tensor<32x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %step = arith.constant dense<32> : tensor<32x32xi32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %offsets = tt.broadcast %row : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %first = tt.addptr %bases, %offsets : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %there = scf.while (%q = %first) : (tensor<32x32x!tt.ptr<f16>, #blocked>) -> tensor<32x32x!tt.ptr<f16>, #blocked> {
      %more = arith.cmpi eq, %n, %c0 : i32
      scf.condition(%more) %q : tensor<32x32x!tt.ptr<f16>, #blocked>
    } do {
    ^bb0(%q: tensor<32x32x!tt.ptr<f16>, #blocked>):
      tt.store %out, %c0 : !tt.ptr<i32>
      scf.yield %q : tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first) -> (tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>) : i32 {
      %x = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
      %a = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #a>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
      tt.store %there, %x : tensor<32x32x!tt.ptr<f16>, #blocked>
      %q = tt.addptr %p, %step : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %d, %q : tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    tt.return %r#0 : tensor<32x32xf32, #mma>
  }

  // A branch decides where the next block lies: it runs ahead with the copies, while there are iterations left.
  // CHECK-LABEL: @jumps_in_branch
  // CHECK: scf.for
  // CHECK-NOT: tt.load
  // CHECK: %[[JUMPS:.+]] = arith.andi %{{.*}}, %{{.*}} : i1
  // CHECK: scf.if %[[JUMPS]] -> (tensor<32x32x!tt.ptr<f16>
  // CHECK: ttg.async_copy_global_to_local
  tt.func @jumps_in_branch(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf16, #b>, %n: i32, %out: !tt.ptr<i32>) -> tensor<32x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %step = arith.constant dense<32> : tensor<32x32xi32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %offsets = tt.broadcast %row : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %first = tt.addptr %bases, %offsets : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first) -> (tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>) : i32 {
      %x = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
      %a = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #a>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
      %jumps = arith.cmpi eq, %i, %c1 : i32
      %from = scf.if %jumps -> (tensor<32x32x!tt.ptr<f16>, #blocked>) {
        %far = tt.addptr %p, %step : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
        scf.yield %far : tensor<32x32x!tt.ptr<f16>, #blocked>
      } else {
        scf.yield %p : tensor<32x32x!tt.ptr<f16>, #blocked>
      }
      %q = tt.addptr %from, %step : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %d, %q : tensor<32x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    tt.return %r#0 : tensor<32x32xf32, #mma>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

// Four blocks of 32 KiB find room, but not beside the 64 KiB through which the stored block passes.
// CHECK-LABEL: @stores_large_block
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x128x128xf16
// CHECK: scf.for
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  tt.func @stores_large_block(%p: tensor<128x128x!tt.ptr<f16>, #blocked> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 128]> : tensor<2xi32>}, %b: tensor<128x32xf16, #b>, %x: tensor<128x256xf16, #mma>, %n: i32, %out: tensor<128x256x!tt.ptr<f16>, #blocked>) -> tensor<128x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<128x32xf32, #mma>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x32xf32, #mma>) : i32 {
      %v = tt.load %p : tensor<128x128x!tt.ptr<f16>, #blocked>
      %a = ttg.convert_layout %v : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #a>
      %d = tt.dot %a, %b, %acc : tensor<128x128xf16, #a> * tensor<128x32xf16, #b> -> tensor<128x32xf32, #mma>
      %y = ttg.convert_layout %x : tensor<128x256xf16, #mma> -> tensor<128x256xf16, #blocked>
      tt.store %out, %y : tensor<128x256x!tt.ptr<f16>, #blocked>
      scf.yield %d : tensor<128x32xf32, #mma>
    } {tt.num_stages = 4 : i32}
    tt.return %r : tensor<128x32xf32, #mma>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#bytes = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// The threads convert the bytes and write them back, so all have read their slot before the product: the copies come
// last, and the ring of bytes has one slot fewer than that of the factor which the warp group reads itself.
// CHECK-LABEL: @converted_factor
// CHECK-DAG: ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16,
// CHECK-DAG: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xi8,
// CHECK: scf.for
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK: ttg.local_load
// CHECK: arith.sitofp
// CHECK: ttng.warp_group_dot
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttg.async_commit_group
// CHECK: scf.yield
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @converted_factor(%p: tensor<64x64x!tt.ptr<f16>, #blocked> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %q: tensor<64x64x!tt.ptr<i8>, #bytes> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %n: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %x = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
      %y = tt.load %q : tensor<64x64x!tt.ptr<i8>, #bytes>
      %h = arith.sitofp %y : tensor<64x64xi8, #bytes> to tensor<64x64xf16, #bytes>
      %a = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %b = ttg.local_alloc %h : (tensor<64x64xf16, #bytes>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return %r : tensor<64x64xf32, #mma>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// The next iteration scales the sum behind its own first product: one wait ends both, and behind it the copies may fill
// the slot that the product of the iteration before has read. The loop leaves the last product under way.
// CHECK-LABEL: @scaled_sum
// CHECK: %[[LOOP:.+]]:{{[0-9]+}} = scf.for {{.*}} iter_args(%[[SUM:[^ ]+]] =
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK: %[[FIRST:.+]] = ttng.warp_group_dot {{.*}}isAsync = true
// CHECK: %[[DONE:.+]]:2 = ttng.warp_group_dot_wait %[[FIRST]], %[[SUM]] {pendings = 0 : i32}
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttg.async_commit_group
// CHECK: %[[SCALED:.+]] = arith.mulf %[[DONE]]#1,
// CHECK: %[[NEXT:.+]] = ttng.warp_group_dot %{{.*}}, %{{.*}}, %[[SCALED]] {{.*}}isAsync = true
// CHECK-NOT: ttng.warp_group_dot_wait
// CHECK: scf.yield %[[NEXT]]
// CHECK: ttng.warp_group_dot_wait %[[LOOP]]#0 {pendings = 0 : i32}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @scaled_sum(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %v: tensor<64x64x!tt.ptr<f16>, #blocked> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %scale: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %x = tt.load %v : tensor<64x64x!tt.ptr<f16>, #blocked>
      %b = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %s = ttng.warp_group_dot %q, %b, %zero {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %h = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %p = ttg.convert_layout %h : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
      %scaled = arith.mulf %acc, %scale : tensor<64x64xf32, #mma>
      %d = ttng.warp_group_dot %p, %b, %scaled {inputPrecision = 0 : i32} : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return %r : tensor<64x64xf32, #mma>
  }
}
