// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What Triton writes since 3.7: barriers of clusters, cluster launch control, packed arithmetic, further forms for
// tensor memory.
// RUN: tilescope-opt %s --split-input-file | tilescope-opt --split-input-file | FileCheck %s
// RUN: tilescope-opt %s --split-input-file --mlir-print-op-generic | tilescope-opt --split-input-file | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#both = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @cluster
  tt.func @cluster(%x: tensor<256xf32, #blocked>, %m: !ttg.memdesc<256xf32, #each, #smem, mutable>, %d: !tt.tensordesc<64x64xf16, #a>, %b: !ttg.memdesc<64x64xf16, #a, #smem, mutable>, %i: i32, %p: i1) {
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x2xi64, [[EACH:#shared[0-9]*]], #smem, mutable>
    %all = ttg.local_alloc : () -> !ttg.memdesc<3x2xi64, #each, #smem, mutable>
    %one = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #both, #smem, mutable>
    // CHECK: ttg.memdesc_index %{{.*}} -> !ttg.memdesc<2xi64, [[EACH]], #smem, mutable>
    %bar = ttg.memdesc_index %all[%i] : !ttg.memdesc<3x2xi64, #each, #smem, mutable> -> !ttg.memdesc<2xi64, #each, #smem, mutable>
    // CHECK: ttng.init_barrier %{{[a-z0-9]+}}, 1 : !ttg.memdesc<2xi64, [[EACH]], #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<2xi64, #each, #smem, mutable>
    ttng.init_barrier %one, 1 : !ttg.memdesc<1xi64, #both, #smem, mutable>
    // CHECK: ttng.fence_mbarrier_init_release_cluster
    ttng.fence_mbarrier_init_release_cluster
    // CHECK: ttng.cluster_barrier {relaxed = true}
    ttng.cluster_barrier {relaxed = true}
    // CHECK: ttng.cluster_barrier{{$}}
    ttng.cluster_barrier
    // CHECK: ttng.cluster_arrive{{$}}
    ttng.cluster_arrive
    ttng.cluster_wait
    // CHECK: ttng.barrier_expect %{{[a-z0-9]+}}, 4096 {fromCTA = 1 : i32}, %{{[a-z0-9]+}} :
    ttng.barrier_expect %bar, 4096 {fromCTA = 1 : i32}, %p : !ttg.memdesc<2xi64, #each, #smem, mutable>
    // CHECK: ttng.arrive_barrier %{{[a-z0-9]+}}, 1 {multicastCTA = 1 : i32} :
    ttng.arrive_barrier %bar, 1 {multicastCTA = 1 : i32} : !ttg.memdesc<2xi64, #each, #smem, mutable>
    // CHECK: ttng.arrive_barrier %{{[a-z0-9]+}}, 1, %{{[a-z0-9]+}} {fromCTA = 0 : i32} :
    ttng.arrive_barrier %bar, 1, %p {fromCTA = 0 : i32} : !ttg.memdesc<2xi64, #each, #smem, mutable>
    // CHECK: ttng.async_shared_store %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<256xf32, #blocked> -> !ttg.memdesc<256xf32, [[EACH]], #smem, mutable>, !ttg.memdesc<2xi64, [[EACH]], #smem, mutable>
    ttng.async_shared_store %x, %m, %bar : tensor<256xf32, #blocked> -> !ttg.memdesc<256xf32, #each, #smem, mutable>, !ttg.memdesc<2xi64, #each, #smem, mutable>
    // CHECK: ttng.async_tma_copy_global_to_local {{.*}} {multicast} : !tt.tensordesc<tensor<64x64xf16,
    ttng.async_tma_copy_global_to_local %d[%i, %i] %b, %bar, %p {multicast} : !tt.tensordesc<64x64xf16, #a>, !ttg.memdesc<2xi64, #each, #smem, mutable> -> !ttg.memdesc<64x64xf16, #a, #smem, mutable>
    // CHECK: ttng.tc_gen5_commit %{{[a-z0-9]+}}, %{{[a-z0-9]+}} descs %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : !ttg.memdesc<2xi64,
    ttng.tc_gen5_commit %bar, %p descs %b, %b : !ttg.memdesc<2xi64, #each, #smem, mutable>, !ttg.memdesc<64x64xf16, #a, #smem, mutable>, !ttg.memdesc<64x64xf16, #a, #smem, mutable>
    // CHECK: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @launch_control
  tt.func @launch_control(%m: !ttg.memdesc<2xi64, #bar, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
    // CHECK: ttng.clc_try_cancel %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : !ttg.memdesc<2xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.clc_try_cancel %m, %bar : !ttg.memdesc<2xi64, #bar, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: ttng.clc_load_result %{{[a-z0-9]+}} : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
    %a = ttng.clc_load_result %m : !ttg.memdesc<2xi64, #bar, #smem, mutable> -> i128
    // CHECK: ttng.clc_is_canceled %{{[a-z0-9]+}} : i128 -> i1
    %c = ttng.clc_is_canceled %a : i128 -> i1
    // CHECK: ttng.clc_get_program_id %{{[a-z0-9]+}}, y : i128 -> i32
    %i = ttng.clc_get_program_id %a, y : i128 -> i32
    tt.return
  }

  // Where the operation's name says all, nothing else is printed.
  // CHECK-LABEL: @packed
  tt.func @packed(%x: tensor<128x2xf32, #pairs>, %h: tensor<128x2xf16, #pairs>) {
    // CHECK: ttng.packed_arith add %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : (tensor<128x2xf32, #blocked>, tensor<128x2xf32, #blocked>) -> tensor<128x2xf32, #blocked>
    %0 = ttng.packed_arith add %x, %x : (tensor<128x2xf32, #pairs>, tensor<128x2xf32, #pairs>) -> tensor<128x2xf32, #pairs>
    // CHECK: ttng.packed_arith fma %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
    %1 = ttng.packed_arith fma, f32x2, [f32x2, f32x2, f32x2], %x, %0, %x axis = 1 : (tensor<128x2xf32, #pairs>, tensor<128x2xf32, #pairs>, tensor<128x2xf32, #pairs>) -> tensor<128x2xf32, #pairs>
    // CHECK: ttng.packed_arith mul, f32x2, [f32x2, f16x2], %{{[a-z0-9]+}}, %{{[a-z0-9]+}} axis = 1 : (tensor<128x2xf32, #blocked>, tensor<128x2xf16, #blocked>) -> tensor<128x2xf32, #blocked>
    %2 = ttng.packed_arith mul, f32x2, [f32x2, f16x2], %1, %h axis = 1 : (tensor<128x2xf32, #pairs>, tensor<128x2xf16, #pairs>) -> tensor<128x2xf32, #pairs>
    tt.return
  }
}

// -----

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#s = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]]}, alignment = 128>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @tensor_memory
  tt.func @tensor_memory(%m: !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable>, %d: !ttg.memdesc<128x128xf32, #wide, #ttng.tensor_memory, mutable>, %i: !ttg.memdesc<128x128xi32, #wide, #ttng.tensor_memory, mutable>, %a: !ttg.memdesc<128x128xi8, #bytes, #smem>, %s: !ttg.memdesc<128x8xi8, #s, #smem>, %p: i1) {
    // CHECK: ttng.tmem_subslice %{{[a-z0-9]+}} {dim = 0 : i32, offset = 128 : i32} : !ttg.memdesc<256x64xf32
    %h = ttng.tmem_subslice %m {offset = 128 : i32, dim = 0 : i32} : !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 256x64>
    // Two columns of scalars, and the largest of each row.
    // CHECK: %{{[a-z0-9]+}}, %{{[a-z0-9]+}} = ttng.tmem_load %{{[a-z0-9]+}} {NaN = true, abs = true, redOp = #ttng.redOp<max>} : {{.*}} -> tensor<128x64xf32, #linear>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %x, %r = ttng.tmem_load %h {redOp = #ttng.redOp<max>, abs = true, NaN = true} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 256x64> -> tensor<128x64xf32, #linear>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    // CHECK: ttng.tmem_wait store
    ttng.tmem_wait store
    // CHECK: ttng.tc_gen5_mma_scaled {{.*}} lhs = e4m3 rhs = e4m3 {multicast} : {{.*}}, !ttg.memdesc<128x8xi8, #shared{{[0-9]*}}, #smem>, !ttg.memdesc<128x8xi8, #shared{{[0-9]*}}, #smem>
    ttng.tc_gen5_mma_scaled %a, %a, %d, %s, %s, %p, %p lhs = e4m3 rhs = e4m3 {multicast} : !ttg.memdesc<128x128xi8, #bytes, #smem>, !ttg.memdesc<128x128xi8, #bytes, #smem>, !ttg.memdesc<128x128xf32, #wide, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x8xi8, #s, #smem>, !ttg.memdesc<128x8xi8, #s, #smem>
    // CHECK: ttng.tc_gen5_mma {{.*}} {is_unsigned} :
    ttng.tc_gen5_mma %a, %a, %i, %p, %p {is_unsigned} : !ttg.memdesc<128x128xi8, #bytes, #smem>, !ttg.memdesc<128x128xi8, #bytes, #smem>, !ttg.memdesc<128x128xi32, #wide, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#linear = #ttg.linear<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @left_factor
  tt.func @left_factor(%a: tensor<64x64xf16, #linear>, %b: !ttg.memdesc<64x64xf16, #b, #smem>, %c: tensor<64x64xf32, #mma>) {
    // CHECK: ttng.warp_group_dot %{{.*}} : tensor<64x64xf16, #linear> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %d = ttng.warp_group_dot %a, %b, %c : tensor<64x64xf16, #linear> * !ttg.memdesc<64x64xf16, #b, #smem> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

// Descriptors of images, and how encodings of tensor memory were written before they had a stride.
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#pixels = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#packed = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, unpacked = false>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, unpacked = true>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-DAG: #[[PACKED:.+]] = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
  // CHECK-DAG: #[[WIDE:.+]] = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>
  // CHECK-LABEL: @images
  tt.func @images(%d: !ttng.tensordesc_im2col<64x128xf16, #pixels>, %m: !ttg.memdesc<64x128xf16, #pixels, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %i: i32, %o: i16, %p: i1) {
    // CHECK: ttng.async_tma_copy_global_to_local %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] offsets = [%{{.*}}, %{{.*}}] %{{.*}}, %{{.*}}, %{{.*}} : !ttng.tensordesc_im2col<tensor<64x128xf16, #{{.*}}>>, !ttg.memdesc<1xi64
    ttng.async_tma_copy_global_to_local %d[%i, %i, %i, %i] offsets = [%o, %o] %m, %b, %p : !ttng.tensordesc_im2col<tensor<64x128xf16, #pixels>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x128xf16, #pixels, #smem, mutable>
    tt.return
  }
  tt.func private @in_tensor_memory(!ttg.memdesc<128x64xf16, #packed, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x64xf16, #wide, #ttng.tensor_memory, mutable>)
}
