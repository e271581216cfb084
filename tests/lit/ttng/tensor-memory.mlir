// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -verify-diagnostics | FileCheck %s
// RUN: tilescope-opt %s -split-input-file -verify-diagnostics | tilescope-opt -split-input-file | FileCheck %s

// CHECK-DAG: [[TMEM:#tmem[0-9]*]] = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
// CHECK-DAG: [[HALF:#tmem[0-9]*]] = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitN = 2>
// CHECK-DAG: [[SCALES:#tmem_scales[0-9]*]] = #ttng.tensor_memory_scales_encoding<>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#s = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]]}, alignment = 128>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#half = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitN = 2>
#scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @ops
  tt.func @ops(%x: tensor<128x128xf32, #linear>, %a: !ttg.memdesc<128x128xf8E4M3FN, #a, #smem>, %s: !ttg.memdesc<128x8xi8, #s, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %p: i1) {
    // CHECK: ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, [[TMEM]], #ttng.tensor_memory, mutable>, !ttg.async.token)
    %d, %t0 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    // CHECK: ttng.tmem_alloc %{{.*}} : (tensor<128x128xf32, #linear>) -> !ttg.memdesc<128x128xf32, [[TMEM]], #ttng.tensor_memory>
    %e = ttng.tmem_alloc %x : (tensor<128x128xf32, #linear>) -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>
    // CHECK: ttng.tmem_store %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}} : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32
    %t1 = ttng.tmem_store %x, %d[%t0], %p : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %sa = ttng.tmem_alloc : () -> !ttg.memdesc<128x8xi8, #scales, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_copy %{{.*}}, %{{.*}} : !ttg.memdesc<128x8xi8, #shared{{[0-9]*}}, #smem, mutable>, !ttg.memdesc<128x8xi8, [[SCALES]], #ttng.tensor_memory, mutable>
    ttng.tmem_copy %s, %sa : !ttg.memdesc<128x8xi8, #s, #smem, mutable>, !ttg.memdesc<128x8xi8, #scales, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %{{.*}}[], %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] {is_async} :
    %t2 = ttng.tc_gen5_mma %a, %a, %d[], %p, %p, %bar[%p], %bar[%p] {is_async} : !ttg.memdesc<128x128xf8E4M3FN, #a, #smem>, !ttg.memdesc<128x128xf8E4M3FN, #a, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.tc_gen5_mma_scaled %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} lhs = e4m3 rhs = e4m3 {is_async} :
    ttng.tc_gen5_mma_scaled %a, %a, %d, %sa, %sa, %p, %p lhs = e4m3 rhs = e4m3 {is_async} : !ttg.memdesc<128x128xf8E4M3FN, #a, #smem>, !ttg.memdesc<128x128xf8E4M3FN, #a, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x8xi8, #scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x8xi8, #scales, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tc_gen5_commit %{{.*}}, %{{.*}} : !ttg.memdesc<1xi64
    ttng.tc_gen5_commit %bar, %p : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.tmem_subslice %{{.*}} {N = 64 : i32} : !ttg.memdesc<128x128xf32, [[TMEM]], #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, [[HALF]], #ttng.tensor_memory, mutable, 128x128>
    %h = ttng.tmem_subslice %d {N = 64 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #half, #ttng.tensor_memory, mutable, 128x128>
    // CHECK: ttng.tmem_load %{{.*}}[%{{.*}}] : !ttg.memdesc<128x128xf32, [[TMEM]], #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    %y, %t3 = ttng.tmem_load %d[%t2] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    tt.return
  }
}

// -----

// expected-error @+1 {{blockM must be 64 or 128, not 32}}
#tmem = #ttng.tensor_memory_encoding<blockM = 32, blockN = 128, colStride = 1>

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#smem = #ttg.shared_memory
// expected-error @+1 {{a buffer needs an encoding of shared memory}}
tt.func @space(%a: !ttg.memdesc<128x128xf32, #tmem, #smem>)

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @immutable(%x: tensor<128x128xf32, #linear>, %d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>, %p: i1) {
    // expected-error @+1 {{needs a mutable buffer}}
    ttng.tmem_store %x, %d, %p : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @shapes(%a: !ttg.memdesc<128x64xf16, #a, #smem>, %d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, %p: i1) {
    // expected-error @+1 {{cannot multiply}}
    ttng.tc_gen5_mma %a, %a, %d, %p, %p : !ttg.memdesc<128x64xf16, #a, #smem>, !ttg.memdesc<128x64xf16, #a, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @shared_only(%d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{needs a buffer in shared memory}}
    %x = ttg.local_load %d : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @slice(%d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{needs a buffer in shared memory}}
    %s = ttg.memdesc_subslice %d[0, 64] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 128x128>
    tt.return
  }
}
