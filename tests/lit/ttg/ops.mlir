// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s | tilescope-opt | FileCheck %s
// RUN: tilescope-opt %s --mlir-print-op-generic | tilescope-opt | FileCheck %s

// CHECK-DAG: [[BLOCKED:#blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: [[CLUSTER:#blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = {{\[\[1\]\]}}}>
// CHECK-DAG: [[MMA:#mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK-DAG: [[LINEAR:#linear[0-9]*]] = #ttg.linear<{register = {{\[\[0, 1\]\]}}, lane = {{\[\[0, 2\], \[0, 4\], \[1, 0\], \[2, 0\], \[4, 0\]\]}}, warp = {{\[\[8, 0\], \[16, 0\]\]}}, block = []}>
// CHECK-DAG: [[SHARED:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
// CHECK-DAG: [[TRANSPOSED:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1]}>
// CHECK-DAG: [[BULK:#shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: [[PADDED:#shared[0-9]*]] = #ttg.padded_shared<[128:+8] {order = [1, 0], shape = [64, 32]}>
// CHECK-DAG: [[BASES:#shared[0-9]*]] = #ttg.shared_linear<{offset = {{\[\[0, 1\], \[1, 1\]\]}}}, alignment = 16>
// CHECK-DAG: [[SMEM:#smem[0-9]*]] = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#cluster = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#linear = #ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1]}>
#bulk = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#padded = #ttg.padded_shared<[128:+8] {order = [1, 0], shape = [64, 32]}>
#bases = #ttg.shared_linear<{offset = [[0, 1], [1, 1]], block = []}, alignment = 16>
#smem = #ttg.shared_memory

// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @registers
  tt.func @registers(%x: tensor<64x32xf16, #blocked>, %p: tensor<64x16xi8, #blocked>) {
    // CHECK: ttg.convert_layout %{{.*}} : tensor<64x32xf16, [[BLOCKED]]> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = [[MMA]], kWidth = 2}>>
    %0 = ttg.convert_layout %x : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    // CHECK: ttg.convert_layout %{{.*}} : tensor<64x32xf16, [[BLOCKED]]> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = [[BLOCKED]]}>>
    %1 = ttg.convert_layout %x : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
    // CHECK: -> tensor<64x32xf16, [[LINEAR]]>
    %2 = ttg.convert_layout %x : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #linear>
    // CHECK: ttg.fp4_to_fp %{{.*}} {axis = 1 : i32} : tensor<64x16xi8, [[BLOCKED]]> -> tensor<64x32xbf16, [[BLOCKED]]>
    %3 = ttg.fp4_to_fp %p {axis = 1 : i32} : tensor<64x16xi8, #blocked> -> tensor<64x32xbf16, #blocked>
    // CHECK: tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = [[BLOCKED]]}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    // CHECK: tensor<512xi32, [[CLUSTER]]>
    %5 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #cluster>
    // CHECK: ttg.warp_id
    %6 = ttg.warp_id
    // CHECK: ttg.barrier local
    ttg.barrier local
    // CHECK: ttg.barrier local|global_write
    ttg.barrier local|global_write
    // CHECK: ttg.barrier all
    ttg.barrier all
    // CHECK: ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    %7 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    tt.return
  }

  // CHECK-LABEL: @buffers
  tt.func @buffers(%x: tensor<64x32xf16, #blocked>, %i: i32, %bulk: !ttg.memdesc<64x32xf16, #bulk, #smem>,
                   %padded: !ttg.memdesc<64x32xf16, #padded, #smem>, %bases: !ttg.memdesc<2x2xf16, #bases, #smem>) {
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16, [[SHARED]], [[SMEM]], mutable>
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
    // CHECK: ttg.local_alloc %{{.*}} {alignment = 128 : i32} : (tensor<64x32xf16, [[BLOCKED]]>) -> !ttg.memdesc<64x32xf16, [[SHARED]], [[SMEM]]>
    %a = ttg.local_alloc %x {alignment = 128 : i32} : (tensor<64x32xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
    // CHECK: ttg.memdesc_index %{{.*}}[%{{.*}}] : !ttg.memdesc<2x64x32xf16, [[SHARED]], [[SMEM]], mutable> -> !ttg.memdesc<64x32xf16, [[SHARED]], [[SMEM]], mutable>
    %s = ttg.memdesc_index %m[%i] : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    // CHECK: ttg.local_store %{{.*}}, %{{.*}} : tensor<64x32xf16, [[BLOCKED]]> -> !ttg.memdesc<64x32xf16, [[SHARED]], [[SMEM]], mutable>
    ttg.local_store %x, %s : tensor<64x32xf16, #blocked> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    // CHECK: ttg.memdesc_subslice %{{.*}}[0, 16] : !ttg.memdesc<64x32xf16, [[SHARED]], [[SMEM]], mutable> -> !ttg.memdesc<64x16xf16, [[SHARED]], [[SMEM]], mutable, 64x32>
    %h = ttg.memdesc_subslice %s[0, 16] : !ttg.memdesc<64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable, 64x32>
    // CHECK: ttg.memdesc_trans %{{.*}} {order = array<i32: 1, 0>} : !ttg.memdesc<64x32xf16, [[SHARED]], [[SMEM]]> -> !ttg.memdesc<32x64xf16, [[TRANSPOSED]], [[SMEM]]>
    %t = ttg.memdesc_trans %a {order = array<i32: 1, 0>} : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #transposed, #smem>
    // CHECK: ttg.local_load %{{.*}} : !ttg.memdesc<64x32xf16, [[SHARED]], [[SMEM]]> -> tensor<64x32xf16, [[BLOCKED]]>
    %v = ttg.local_load %a : !ttg.memdesc<64x32xf16, #shared, #smem> -> tensor<64x32xf16, #blocked>
    // CHECK: ttg.memdesc_reinterpret
    %r = ttg.memdesc_reinterpret %a : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<64x32xi16, #shared, #smem>
    // CHECK: ttg.local_dealloc %{{.*}} : !ttg.memdesc<2x64x32xf16, [[SHARED]], [[SMEM]], mutable>
    ttg.local_dealloc %m : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @async
  tt.func @async(%p: tensor<64x32x!tt.ptr<f16>, #blocked>, %k: tensor<64x32xi1, #blocked>, %z: tensor<64x32xf16, #blocked>,
                 %m: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>) {
    // CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %{{.*}} other %{{.*}} cacheModifier = ca {contiguity = 8 : i32} : tensor<64x32x!tt.ptr<f16>, [[BLOCKED]]> -> <64x32xf16, [[SHARED]], [[SMEM]], mutable>
    %t = ttg.async_copy_global_to_local %p, %m mask %k other %z cacheModifier = ca {contiguity = 8 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked> -> <64x32xf16, #shared, #smem, mutable>
    // CHECK: ttg.async_commit_group tokens %
    %g = ttg.async_commit_group tokens %t
    // CHECK: ttg.async_wait %{{.*}} {num = 0 : i32}
    %w = ttg.async_wait %g {num = 0 : i32}
    // CHECK: ttg.local_load %{{.*}} token %
    %v = ttg.local_load %m token %w : !ttg.memdesc<64x32xf16, #shared, #smem, mutable> -> tensor<64x32xf16, #blocked>
    // CHECK: ttg.async_wait {num = 0 : i32}
    %e = ttg.async_wait {num = 0 : i32}
    tt.return
  }
}
