// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -tilescope-pipeline-loads=num-stages=3 -canonicalize | FileCheck %s

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// One barrier for each slot tells of both factors, whose tensors two new parameters describe. The parity changes where the slots
// begin anew; the copies of an iteration that is not there are left out.
// CHECK-LABEL: tt.func public @both
// CHECK-SAME: !tt.tensordesc<tensor<64x64xf16, #shared>> {ttg.described = 0 : i32, ttg.extents = array<i64: 100, 256>}
// CHECK-SAME: !tt.tensordesc<tensor<32x64xf16, #shared>> {ttg.described = 1 : i32, ttg.extents = array<i64: 80, 256>}
// CHECK-NOT: make_tensor_descriptor
// CHECK: [[BARRIERS:%.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
// CHECK-COUNT-3: ttng.init_barrier
// CHECK: ttng.fence_async_shared
// CHECK: ttng.barrier_expect {{.*}}, 12288,
// CHECK-COUNT-2: ttng.async_tma_copy_global_to_local
// CHECK: ttng.barrier_expect {{.*}}, 12288,
// CHECK: scf.for {{.*}} iter_args({{.*}}, [[FILLED:%.*]] = {{.*}}, [[READ:%.*]] = {{.*}}, [[PARITY:%.*]] =
// CHECK: [[THERE:%.*]] = arith.cmpi slt
// CHECK: [[BARRIER:%.*]] = ttg.memdesc_index [[BARRIERS]][[[READ]]]
// CHECK: ttng.wait_barrier [[BARRIER]], [[PARITY]]
// CHECK: ttng.warp_group_dot {{.*}}isAsync = true
// CHECK: ttng.warp_group_dot_wait {{.*}}pendings = 1
// CHECK: [[NEXT:%.*]] = ttg.memdesc_index [[BARRIERS]][[[FILLED]]]
// CHECK: ttng.barrier_expect [[NEXT]], 12288, [[THERE]]
// CHECK: ttng.async_tma_copy_global_to_local {{.*}}, [[NEXT]], [[THERE]]
// CHECK: ttng.async_tma_copy_global_to_local {{.*}}, [[NEXT]], [[THERE]]
// CHECK: }
// CHECK-COUNT-3: ttng.inval_barrier
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @both(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %row: i32) -> tensor<64x32xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %rows = arith.constant 100 : i32
    %others = arith.constant 80 : i32
    %columns = arith.constant 256 : i32
    %step = arith.constant 256 : i64
    %one = arith.constant 1 : i64
    %a = tt.make_tensor_descriptor %p, [%rows, %columns], [%step, %one] : <f16>, <tensor<64x64xf16>>
    %b = tt.make_tensor_descriptor %q, [%others, %columns], [%step, %one] : <f16>, <tensor<32x64xf16>>
    %r = scf.for %k = %c0 to %columns step %c64 iter_args(%s = %zero) -> (tensor<64x32xf32, #mma>) : i32 {
      %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #load>
      %y = tt.descriptor_load %b[%c0, %k] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16, #load>
      %m = ttg.local_alloc %x : (tensor<64x64xf16, #load>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %n = ttg.local_alloc %y : (tensor<32x64xf16, #load>) -> !ttg.memdesc<32x64xf16, #shared, #smem>
      %t = ttg.memdesc_trans %n {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #turned, #smem>
      %d = ttng.warp_group_dot %m, %t, %s : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x32xf16, #turned, #smem> -> tensor<64x32xf32, #mma>
      scf.yield %d : tensor<64x32xf32, #mma>
    }
    tt.return %r : tensor<64x32xf32, #mma>
  }
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// What no product reads from shared memory is waited for at once.
// CHECK-LABEL: tt.func public @alone
// CHECK-SAME: !tt.tensordesc<tensor<64x64xf16, #shared>> {ttg.described = 0 : i32, ttg.extents = array<i64: 100, 256>}
// CHECK: scf.for
// CHECK: ttng.init_barrier
// CHECK: ttng.barrier_expect {{.*}}, 8192,
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: ttng.wait_barrier
// CHECK: ttg.local_load
// CHECK: ttng.inval_barrier
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @alone(%p: !tt.ptr<f16>) -> tensor<64x64xf16, #load> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf16, #load>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %rows = arith.constant 100 : i32
    %columns = arith.constant 256 : i32
    %step = arith.constant 256 : i64
    %one = arith.constant 1 : i64
    %a = tt.make_tensor_descriptor %p, [%rows, %columns], [%step, %one] : <f16>, <tensor<64x64xf16>>
    %r = scf.for %k = %c0 to %columns step %c64 iter_args(%s = %zero) -> (tensor<64x64xf16, #load>) : i32 {
      %x = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #load>
      %d = arith.addf %s, %x : tensor<64x64xf16, #load>
      scf.yield %d : tensor<64x64xf16, #load>
    }
    tt.return %r : tensor<64x64xf16, #load>
  }
}
