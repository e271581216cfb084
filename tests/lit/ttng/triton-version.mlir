// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// All notations are read; what is printed is what the named release of Triton reads.
// RUN: tilescope-opt %s | FileCheck %s --check-prefixes=CHECK,OLD,PARTS-OLD
// RUN: tilescope-opt %s --triton-version=3.7 | FileCheck %s --check-prefixes=CHECK,OLD,PARTS-OLD
// RUN: tilescope-opt %s --triton-version=3.8 | FileCheck %s --check-prefixes=CHECK,NEW,PARTS-OLD
// RUN: tilescope-opt %s --triton-version=newest | FileCheck %s --check-prefixes=CHECK,NEW,PARTS-NEW
// RUN: tilescope-opt %s --triton-version=newest | tilescope-opt | FileCheck %s --check-prefixes=CHECK,OLD,PARTS-OLD

// OLD-DAG: #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>
// NEW-DAG: #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = {{\[\[1, 0\]\]}}, twoCTAs = true>
// OLD-DAG: #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1, CTASplitN = 2>
// NEW-DAG: #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1, CGALayout = {{\[\[0, 1\]\]}}>
// OLD-DAG: #ttng.tensor_memory_scales_encoding<CTASplitM = 2>
// NEW-DAG: #ttng.tensor_memory_scales_encoding<CGALayout = {{\[\[1, 0\]\]}}>
// CHECK-DAG: #ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1, CTASplitN = 2>
#scales = #ttng.tensor_memory_scales_encoding<CGALayout = [[1, 0]]>
#scales1 = #ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @forms
  // OLD-SAME: !tt.tensordesc<tensor<64x64xf16, #shared>>, %{{[a-z0-9]+}}: !tt.tensordesc<tensor<4x8xsi32>>
  // NEW-SAME: !tt.tensordesc<64x64xf16, #shared>, %{{[a-z0-9]+}}: !tt.tensordesc<4x8xsi32>
  tt.func @forms(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %e: !tt.tensordesc<4x8xsi32>, %m: !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable>, %n: !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable>, %s: !ttg.memdesc<256x8xi8, #scales, #ttng.tensor_memory, mutable>, %t: !ttg.memdesc<256x8xi8, #scales1, #ttng.tensor_memory, mutable>) {
    // PARTS-OLD: ttng.tmem_subslice %{{[a-z0-9]+}} {N = 32 : i32} :
    // PARTS-NEW: ttng.tmem_subslice %{{[a-z0-9]+}} {offset = 32 : i32} :
    %0 = ttng.tmem_subslice %m {N = 32 : i32} : !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<256x32xf32, #tmem, #ttng.tensor_memory, mutable, 256x64>
    // PARTS-OLD: ttng.tmem_subslice %{{[a-z0-9]+}} {N = 32 : i32} :
    // PARTS-NEW: ttng.tmem_subslice %{{[a-z0-9]+}} {offset = 32 : i32} :
    %1 = ttng.tmem_subslice %m {offset = 32 : i32, dim = 1 : i32} : !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<256x32xf32, #tmem, #ttng.tensor_memory, mutable, 256x64>
    tt.return
  }
}
