// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --loops-to-branches --allocate-global-scratch --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s
// Made by Triton for sm_90: a product whose factors come in three slots.
// CHECK-LABEL: llvm.func @mm_desc
// CHECK: mbarrier.try_wait.parity
// CHECK: wgmma.mma_async
// CHECK: cp.async.bulk.tensor.2d.shared::cluster

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm_desc(%a: !tt.tensordesc<tensor<128x64xf16, #shared>>, %a_0: i32, %a_1: i32, %a_2: i64, %a_3: i64, %b: !tt.tensordesc<tensor<64x128xf16, #shared>>, %b_4: i32, %b_5: i32, %b_6: i64, %b_7: i64, %c: !tt.tensordesc<tensor<128x128xf16, #shared>>, %c_8: i32, %c_9: i32, %c_10: i64, %c_11: i64, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %pm = tt.get_program_id x : i32
    %pn = tt.get_program_id y : i32
    %x = arith.muli %pm, %c128_i32 : i32
    %y = arith.muli %pn, %c128_i32 : i32
    %x_12 = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %y_13 = ttg.local_alloc : () -> !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable>
    %acc = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    %acc_14 = ttg.memdesc_index %acc[%c0_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %acc_14, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %acc_15 = ttg.memdesc_index %acc[%c1_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %acc_15, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %acc_16 = ttg.memdesc_index %acc[%c2_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %acc_16, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %acc_17 = arith.cmpi sgt, %k, %c0_i32 : i32
    ttng.barrier_expect %acc_14, 32768, %acc_17 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %x_18 = ttg.memdesc_index %x_12[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %a[%x, %c0_i32] %x_18, %acc_14, %acc_17 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %y_19 = ttg.memdesc_index %y_13[%c0_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %b[%c0_i32, %y] %y_19, %acc_14, %acc_17 : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %acc_20 = arith.cmpi sgt, %k, %c64_i32 : i32
    ttng.barrier_expect %acc_15, 32768, %acc_20 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %x_21 = ttg.memdesc_index %x_12[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %a[%x, %c64_i32] %x_21, %acc_15, %acc_20 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %y_22 = ttg.memdesc_index %y_13[%c1_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %b[%c64_i32, %y] %y_22, %acc_15, %acc_20 : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %acc_23:4 = scf.for %acc_25 = %c0_i32 to %k step %c64_i32 iter_args(%acc_26 = %cst, %arg20 = %c1_i32, %acc_27 = %c-1_i32, %arg22 = %c0_i32) -> (tensor<128x128xf32, #mma>, i32, i32, i32)  : i32 {
      %acc_28 = arith.subi %k, %c128_i32 : i32
      %acc_29 = arith.cmpi slt, %acc_25, %acc_28 : i32
      %acc_30 = arith.addi %acc_27, %c1_i32 : i32
      %acc_31 = arith.cmpi sge, %acc_30, %c3_i32 : i32
      %acc_32 = arith.select %acc_31, %c0_i32, %acc_30 : i32
      %acc_33 = arith.xori %arg22, %c1_i32 : i32
      %acc_34 = arith.select %acc_31, %acc_33, %arg22 : i32
      %acc_35 = ttg.memdesc_index %acc[%acc_32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %acc_35, %acc_34 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %y_36 = ttg.memdesc_index %y_13[%acc_32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %x_37 = ttg.memdesc_index %x_12[%acc_32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %acc_38 = ttng.warp_group_dot %x_37, %y_36, %acc_26 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
      %acc_39:3 = ttng.warp_group_dot_wait %acc_38, %x_37, %y_36 {pendings = 1 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %acc_40 = arith.addi %arg20, %c1_i32 : i32
      %acc_41 = arith.cmpi sge, %acc_40, %c3_i32 : i32
      %acc_42 = arith.select %acc_41, %c0_i32, %acc_40 : i32
      %acc_43 = ttg.memdesc_index %acc[%acc_42] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.barrier_expect %acc_43, 32768, %acc_29 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %x_44 = ttg.memdesc_index %x_12[%acc_42] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %acc_45 = arith.addi %acc_25, %c128_i32 : i32
      ttng.async_tma_copy_global_to_local %a[%x, %acc_45] %x_44, %acc_43, %acc_29 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %y_46 = ttg.memdesc_index %y_13[%acc_42] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %b[%acc_45, %y] %y_46, %acc_43, %acc_29 : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      scf.yield %acc_39#0, %acc_42, %acc_32, %acc_34 : tensor<128x128xf32, #mma>, i32, i32, i32
    }
    %acc_24 = ttng.warp_group_dot_wait %acc_23#0 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    ttng.inval_barrier %acc_14 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %acc_15 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %acc_16 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %acc : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %y_13 : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable>
    ttg.local_dealloc %x_12 : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %0 = arith.truncf %acc_24 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    %1 = ttg.local_alloc %0 : (tensor<128x128xf16, #mma>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %c[%x, %y] %1 : !tt.tensordesc<tensor<128x128xf16, #shared>>, !ttg.memdesc<128x128xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
