// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s | tilescope-opt | FileCheck %s
// RUN: tilescope-opt %s --mlir-print-op-generic | tilescope-opt | FileCheck %s

// CHECK-DAG: [[SHARED:#shared[0-9]*]] = #ttg.nvmma_shared<
// CHECK-DAG: [[BAR:#shared[0-9]*]] = #ttg.swizzled_shared<
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#off = #ttg.slice<{dim = 0, parent = #blocked}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %g: !tt.tensordesc<tensor<1x64xf16, #shared>>, %ptr: !tt.ptr<i8>, %p: i1, %i: i32, %l: i64, %x: tensor<32xi32, #off>, %acc: tensor<64x64xf32, #mma>, %ra: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>) {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %r = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %t = ttg.async_commit_group
    // CHECK: ttng.fence_async_shared {bCluster = false}
    ttng.fence_async_shared {bCluster = false}
    // CHECK: %{{[a-z0-9:#]+}} = ttng.warp_group_dot %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}} {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, [[SHARED]], #smem, mutable> * !ttg.memdesc<64x64xf16, [[SHARED]], #smem, mutable> -> tensor<64x64xf32, #mma>
    %o0 = ttng.warp_group_dot %a, %a, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
    // CHECK: %{{[a-z0-9:#]+}} = ttng.warp_group_dot %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, [[SHARED]], #smem, mutable> -> tensor<64x64xf32, #mma>
    %o1 = ttng.warp_group_dot %ra, %a, %o0, %p : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
    // CHECK: %{{[a-z0-9:#]+}} = ttng.warp_group_dot_wait %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}} {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, [[SHARED]], #smem, mutable>
    %o2:2 = ttng.warp_group_dot_wait %o1, %a {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.init_barrier %{{[a-z0-9:#]+}}, 1 : !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.barrier_expect %{{[a-z0-9:#]+}}, 8192, %{{[a-z0-9:#]+}} : !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>
    ttng.barrier_expect %bar, 8192, %p : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.wait_barrier %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}} : !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>
    ttng.wait_barrier %bar, %i : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.wait_barrier %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}} deps %{{[a-z0-9:#]+}} : !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>, !ttg.memdesc<64x64xf16, [[SHARED]], #smem, mutable>
    ttng.wait_barrier %bar, %i, %p deps %a : !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.arrive_barrier %{{[a-z0-9:#]+}}, 1 : !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>
    ttng.arrive_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.arrive_barrier %{{[a-z0-9:#]+}}, 2, %{{[a-z0-9:#]+}} : !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>
    ttng.arrive_barrier %bar, 2, %p : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.async_copy_mbarrier_arrive %{{[a-z0-9:#]+}} : !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>
    ttng.async_copy_mbarrier_arrive %bar : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.async_copy_mbarrier_arrive %{{[a-z0-9:#]+}} {noIncrement} : !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>
    ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.async_tma_copy_global_to_local %{{[a-z0-9:#]+}}{{.%[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}] %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}} : !tt.tensordesc<tensor<64x64xf16, [[SHARED]]>>, !ttg.memdesc<1xi64, [[BAR]], #smem, mutable> -> !ttg.memdesc<64x64xf16, [[SHARED]], #smem, mutable>
    ttng.async_tma_copy_global_to_local %d[%i, %i] %a, %bar, %p : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.async_tma_copy_global_to_local %{{[a-z0-9:#]+}}{{.%[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}] %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}} cacheModifier = ca evictionPolicy = evict_last {isVolatile = true} : !tt.tensordesc<tensor<64x64xf16, [[SHARED]]>>, !ttg.memdesc<1xi64, [[BAR]], #smem, mutable> -> !ttg.memdesc<64x64xf16, [[SHARED]], #smem, mutable>
    ttng.async_tma_copy_global_to_local %d[%i, %i] %a, %bar, %p cacheModifier = ca evictionPolicy = evict_last {isVolatile = true} : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.async_tma_copy_local_to_global %{{[a-z0-9:#]+}}{{.%[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}] %{{[a-z0-9:#]+}} : !tt.tensordesc<tensor<64x64xf16, [[SHARED]]>>, !ttg.memdesc<64x64xf16, [[SHARED]], #smem, mutable>
    ttng.async_tma_copy_local_to_global %d[%i, %i] %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.async_tma_reduce add, %{{[a-z0-9:#]+}}{{.%[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}] %{{[a-z0-9:#]+}} : !tt.tensordesc<tensor<64x64xf16, [[SHARED]]>>, !ttg.memdesc<64x64xf16, [[SHARED]], #smem, mutable>
    ttng.async_tma_reduce add, %d[%i, %i] %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.async_tma_gather %{{[a-z0-9:#]+}}{{.%[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}] %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}} : !tt.tensordesc<tensor<1x64xf16, [[SHARED]]>>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32, !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>, !ttg.memdesc<32x64xf16, [[SHARED]], #smem, mutable>, i1
    ttng.async_tma_gather %g[%x, %i] %r, %bar, %p : !tt.tensordesc<tensor<1x64xf16, #shared>>, tensor<32xi32, #off>, i32, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, i1
    // CHECK: ttng.async_tma_scatter %{{[a-z0-9:#]+}}{{.%[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}] %{{[a-z0-9:#]+}} : !tt.tensordesc<tensor<1x64xf16, [[SHARED]]>>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32, !ttg.memdesc<32x64xf16, [[SHARED]], #smem, mutable>
    ttng.async_tma_scatter %g[%x, %i] %r : !tt.tensordesc<tensor<1x64xf16, #shared>>, tensor<32xi32, #off>, i32, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    // CHECK: ttng.tensormap_create %{{[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}, {{.%[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}], {{.%[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}], {{.%[a-z0-9:#]+}}], {{.%[a-z0-9:#]+}}, %{{[a-z0-9:#]+}}] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_create %ptr, %ptr, [%i, %i], [%i, %i], [%l], [%i, %i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    // CHECK: ttng.tensormap_fenceproxy_acquire %{{[a-z0-9:#]+}} : !tt.ptr<i8>
    ttng.tensormap_fenceproxy_acquire %ptr : !tt.ptr<i8>
    // CHECK: %{{[a-z0-9:#]+}} = ttng.reinterpret_tensor_descriptor %{{[a-z0-9:#]+}} : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, [[SHARED]]>>
    %q = ttng.reinterpret_tensor_descriptor %ptr : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #shared>>
    // CHECK: ttng.cluster_arrive {relaxed = false}
    ttng.cluster_arrive {relaxed = false}
    // CHECK: ttng.cluster_wait
    ttng.cluster_wait
    // CHECK: ttng.inval_barrier %{{[a-z0-9:#]+}} : !ttg.memdesc<1xi64, [[BAR]], #smem, mutable>
    ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }
}
