// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -tilescope-pipeline-loads=num-stages=3 -tilescope-insert-proxy-fences -canonicalize -tilescope-combine-select-and-if | FileCheck %s

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// The product reads the ring itself and stays under way; the copy comes behind the wait for the product before, and
// what was stored before the loop is fenced there.
// CHECK-LABEL: @added_up
// CHECK: [[A:%.*]] = ttg.local_alloc %{{.*}} : (tensor<64x64xf16
// CHECK-NEXT: ttng.fence_async_shared
// CHECK: [[RING:%.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
// CHECK: scf.for
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK-NOT: fence
// CHECK: [[B:%.*]] = ttg.memdesc_index [[RING]]
// CHECK: [[D:%.*]] = ttng.warp_group_dot [[A]], [[B]], {{.*}}isAsync = true
// CHECK: [[W:%.*]] = ttng.warp_group_dot_wait [[D]] {pendings = 1 : i32}
// CHECK: ttg.async_copy_global_to_local
// CHECK: scf.yield [[W]]
// CHECK: }
// CHECK: ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
// CHECK-NEXT: ttg.async_wait {num = 0 : i32}
// CHECK-NEXT: ttg.local_dealloc
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @added_up(%x: tensor<64x64xf16, #load>, %p: tensor<64x64x!tt.ptr<f16>, #load> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %n: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %step = arith.constant dense<4096> : tensor<64x64xi32, #load>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = ttg.local_alloc %x : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %q = %p) -> (tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #load>) : i32 {
      %y = tt.load %q : tensor<64x64x!tt.ptr<f16>, #load>
      %b = ttg.local_alloc %y : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %a, %b, %sum : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %next = tt.addptr %q, %step : tensor<64x64x!tt.ptr<f16>, #load>, tensor<64x64xi32, #load>
      scf.yield %d, %next : tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #load>
    }
    tt.return %r#0 : tensor<64x64xf32, #mma>
  }
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// The loop looks at the sum: it is waited for at once, and the copy may come first.
// CHECK-LABEL: @looked_at
// CHECK: scf.for
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK: ttg.async_copy_global_to_local
// CHECK-NOT: isAsync
// CHECK: ttng.warp_group_dot
// CHECK-NOT: warp_group_dot_wait
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @looked_at(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #load> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %n: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %step = arith.constant dense<4096> : tensor<64x64xi32, #load>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %q = %p) -> (tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #load>) : i32 {
      %y = tt.load %q : tensor<64x64x!tt.ptr<f16>, #load>
      %b = ttg.local_alloc %y : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %a, %b, %sum : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %e = arith.mulf %d, %d : tensor<64x64xf32, #mma>
      %next = tt.addptr %q, %step : tensor<64x64x!tt.ptr<f16>, #load>, tensor<64x64xi32, #load>
      scf.yield %e, %next : tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #load>
    }
    tt.return %r#0 : tensor<64x64xf32, #mma>
  }
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// A branch stores the sum and starts a new one: only there is the product waited for, behind the copies; on the other
// side the sum stays under way, as it is.
// CHECK-LABEL: @started_anew
// CHECK: scf.for
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK: [[D:%.*]] = ttng.warp_group_dot {{.*}}isAsync = true
// CHECK: [[W:%.*]] = ttng.warp_group_dot_wait [[D]] {pendings = 1 : i32}
// CHECK: ttg.async_copy_global_to_local
// CHECK: [[E:%.*]] = scf.if
// CHECK-NEXT: [[DONE:%.*]] = ttng.warp_group_dot_wait [[W]] {pendings = 0 : i32}
// CHECK-NEXT: tt.store %{{.*}}, [[DONE]]
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield [[W]]
// CHECK: scf.yield [[E]]
// CHECK: }
// CHECK: ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @started_anew(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #load> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %n: i32, %out: tensor<64x64x!tt.ptr<f32>, #mma>) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %step = arith.constant dense<4096> : tensor<64x64xi32, #load>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %q = %p) -> (tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #load>) : i32 {
      %y = tt.load %q : tensor<64x64x!tt.ptr<f16>, #load>
      %b = ttg.local_alloc %y : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %a, %b, %sum : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %last = arith.cmpi eq, %i, %c1 : i32
      %e = scf.if %last -> (tensor<64x64xf32, #mma>) {
        tt.store %out, %d : tensor<64x64x!tt.ptr<f32>, #mma>
        scf.yield %zero : tensor<64x64xf32, #mma>
      } else {
        scf.yield %d : tensor<64x64xf32, #mma>
      }
      %next = tt.addptr %q, %step : tensor<64x64x!tt.ptr<f16>, #load>, tensor<64x64xi32, #load>
      scf.yield %e, %next : tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #load>
    }
    tt.return %r#0 : tensor<64x64xf32, #mma>
  }
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// A branch that the next addresses come from is in front of the product and its wait: the copy behind them waits for
// neither branch nor addresses.
// CHECK-LABEL: @next_tile
// CHECK: scf.for
// CHECK: [[OFFSET:%.*]] = scf.if
// CHECK: tt.addptr {{.*}}, [[OFFSET]]
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK: ttng.warp_group_dot_wait
// CHECK-NOT: scf.if
// CHECK: ttg.async_copy_global_to_local
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @next_tile(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #load> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %n: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %start = arith.constant dense<0> : tensor<64x64xi32, #load>
    %step = arith.constant dense<4096> : tensor<64x64xi32, #load>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %offset = %start) -> (tensor<64x64xf32, #mma>, tensor<64x64xi32, #load>) : i32 {
      %first = arith.cmpi eq, %i, %c1 : i32
      %moved = scf.if %first -> (tensor<64x64xi32, #load>) {
        scf.yield %start : tensor<64x64xi32, #load>
      } else {
        %next = arith.addi %offset, %step : tensor<64x64xi32, #load>
        scf.yield %next : tensor<64x64xi32, #load>
      }
      %q = tt.addptr %p, %moved : tensor<64x64x!tt.ptr<f16>, #load>, tensor<64x64xi32, #load>
      %y = tt.load %q : tensor<64x64x!tt.ptr<f16>, #load>
      %b = ttg.local_alloc %y : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %a, %b, %sum : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d, %moved : tensor<64x64xf32, #mma>, tensor<64x64xi32, #load>
    }
    tt.return %r#0 : tensor<64x64xf32, #mma>
  }
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 8]}>
#rows = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory

// Copies of 4 bytes turn a factor of 32-bit elements on its way: the product reads the ring, and stays under way.
// CHECK-DAG: [[TURNED:#shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
// CHECK-LABEL: @turned
// CHECK: [[RING:%.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x32x32xf32, [[TURNED]], #smem, mutable>
// CHECK: scf.for
// CHECK-NOT: ttg.local_load
// CHECK: [[B:%.*]] = ttg.memdesc_index [[RING]]
// CHECK: ttng.warp_group_dot {{.*}}, [[B]], {{.*}}isAsync = true
// CHECK: ttg.async_copy_global_to_local
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @turned(%a: !ttg.memdesc<64x32xf32, #rows, #smem>, %p: tensor<32x32x!tt.ptr<f32>, #load> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 32]> : tensor<2xi32>}, %n: i32) -> tensor<64x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
    %step = arith.constant dense<4096> : tensor<32x32xi32, #load>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %q = %p) -> (tensor<64x32xf32, #mma>, tensor<32x32x!tt.ptr<f32>, #load>) : i32 {
      %y = tt.load %q : tensor<32x32x!tt.ptr<f32>, #load>
      %b = ttg.local_alloc %y : (tensor<32x32xf32, #load>) -> !ttg.memdesc<32x32xf32, #turned, #smem>
      %d = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32} : !ttg.memdesc<64x32xf32, #rows, #smem> * !ttg.memdesc<32x32xf32, #turned, #smem> -> tensor<64x32xf32, #mma>
      %next = tt.addptr %q, %step : tensor<32x32x!tt.ptr<f32>, #load>, tensor<32x32xi32, #load>
      scf.yield %d, %next : tensor<64x32xf32, #mma>, tensor<32x32x!tt.ptr<f32>, #load>
    }
    tt.return %r#0 : tensor<64x32xf32, #mma>
  }
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// What is stored in two buffers is fenced once. The second product adds to the first one's registers, which need not be
// waited for in between; the loop looks at the second one.
// CHECK-LABEL: @chained
// CHECK: scf.for
// CHECK: [[A:%.*]] = ttg.local_alloc %{{.*}} : (tensor<64x64xf16
// CHECK-NOT: fence
// CHECK: [[B:%.*]] = ttg.local_alloc %{{.*}} : (tensor<64x64xf16
// CHECK-NEXT: ttng.fence_async_shared
// CHECK: [[D:%.*]] = ttng.warp_group_dot [[A]], [[B]], {{.*}}isAsync = true
// CHECK-NEXT: [[E:%.*]] = ttng.warp_group_dot [[B]], [[A]], [[D]] :
// CHECK-NEXT: arith.addf [[E]]
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @chained(%x: tensor<64x64xf16, #load>, %p: tensor<64x64x!tt.ptr<f16>, #load> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %n: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %step = arith.constant dense<4096> : tensor<64x64xi32, #load>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %q = %p) -> (tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #load>) : i32 {
      %y = tt.load %q : tensor<64x64x!tt.ptr<f16>, #load>
      %z = arith.addf %y, %x : tensor<64x64xf16, #load>
      %a = ttg.local_alloc %z : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %w = arith.mulf %y, %x : tensor<64x64xf16, #load>
      %b = ttg.local_alloc %w : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %a, %b, %zero : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot %b, %a, %d : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %f = arith.addf %e, %sum : tensor<64x64xf32, #mma>
      %next = tt.addptr %q, %step : tensor<64x64x!tt.ptr<f16>, #load>, tensor<64x64xi32, #load>
      scf.yield %f, %next : tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #load>
    }
    tt.return %r#0 : tensor<64x64xf32, #mma>
  }
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#down = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// Two products of the same left factor, whose right ones lie column by column, are one instruction later: the slots of both
// rings take turns.
// CHECK-LABEL: @joined
// CHECK: ttg.local_alloc {allocation.turn = array<i64: 0, 0, 12288>} : () -> !ttg.memdesc<3x64x64xf16
// CHECK: ttg.local_alloc {allocation.turn = array<i64: 0, 8192, 12288>} : () -> !ttg.memdesc<3x64x32xf16
// Of different left factors they are two.
// CHECK-LABEL: @apart
// CHECK-NOT: allocation.turn
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @joined(%x: tensor<64x64xf16, #load>, %p: tensor<64x64x!tt.ptr<f16>, #down> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[64, 1]> : tensor<2xi32>}, %q: tensor<64x32x!tt.ptr<f16>, #down> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[64, 1]> : tensor<2xi32>}, %n: i32) -> (tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma1>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x32xf32, #mma1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = ttg.local_alloc %x : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %rest = %none) -> (tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma1>) : i32 {
      %y = tt.load %p : tensor<64x64x!tt.ptr<f16>, #down>
      %z = tt.load %q : tensor<64x32x!tt.ptr<f16>, #down>
      %b = ttg.local_alloc %y : (tensor<64x64xf16, #down>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %c = ttg.local_alloc %z : (tensor<64x32xf16, #down>) -> !ttg.memdesc<64x32xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %a, %b, %sum : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot %a, %c, %rest : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<64x32xf32, #mma1>
      scf.yield %d, %e : tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma1>
    }
    tt.return %r#0, %r#1 : tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma1>
  }
  tt.func @apart(%x: tensor<64x64xf16, #load>, %w: tensor<64x64xf16, #load>, %p: tensor<64x64x!tt.ptr<f16>, #down> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[64, 1]> : tensor<2xi32>}, %q: tensor<64x32x!tt.ptr<f16>, #down> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[64, 1]> : tensor<2xi32>}, %n: i32) -> (tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma1>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x32xf32, #mma1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = ttg.local_alloc %x : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %f = ttg.local_alloc %w : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %rest = %none) -> (tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma1>) : i32 {
      %y = tt.load %p : tensor<64x64x!tt.ptr<f16>, #down>
      %z = tt.load %q : tensor<64x32x!tt.ptr<f16>, #down>
      %b = ttg.local_alloc %y : (tensor<64x64xf16, #down>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %c = ttg.local_alloc %z : (tensor<64x32xf16, #down>) -> !ttg.memdesc<64x32xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %a, %b, %sum : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot %f, %c, %rest : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<64x32xf32, #mma1>
      scf.yield %d, %e : tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma1>
    }
    tt.return %r#0, %r#1 : tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma1>
  }
}
