// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -tilescope-accelerate-matmul -canonicalize | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

// Loaded factors go to shared memory in the order in which they were loaded; a transposed one is a view.
// CHECK-DAG: [[MMA:#mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// CHECK-DAG: [[PLAIN:#shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: [[TURNED:#shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
// CHECK-LABEL: @loaded
// CHECK: [[A:%.*]] = ttg.local_alloc {{.*}} -> !ttg.memdesc<128x64xf16, [[PLAIN]], #smem>
// CHECK: [[B:%.*]] = ttg.local_alloc {{.*}} -> !ttg.memdesc<64x64xf16, [[PLAIN]], #smem>
// CHECK: [[BT:%.*]] = ttg.memdesc_trans [[B]] {order = array<i32: 1, 0>} : {{.*}} -> !ttg.memdesc<64x64xf16, [[TURNED]], #smem>
// CHECK: ttng.warp_group_dot [[A]], [[BT]], {{.*}} -> tensor<128x64xf32, [[MMA]]>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @loaded(%pa: tensor<128x64x!tt.ptr<f16>, #load>, %pb: tensor<64x64x!tt.ptr<f16>, #load>, %c: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
    %x = tt.load %pa : tensor<128x64x!tt.ptr<f16>, #load>
    %y = tt.load %pb : tensor<64x64x!tt.ptr<f16>, #load>
    %yt = tt.trans %y {order = array<i32: 1, 0>} : tensor<64x64xf16, #load> -> tensor<64x64xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>>
    %a = ttg.convert_layout %x : tensor<128x64xf16, #load> -> tensor<128x64xf16, #a>
    %b = ttg.convert_layout %yt : tensor<64x64xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>> -> tensor<64x64xf16, #b>
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #blocked>
    tt.return %d : tensor<128x64xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#load = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

// What is computed from a load will have the load's layout: it is stored in the load's order.
// CHECK-DAG: [[TURNED:#shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
// CHECK-LABEL: @scaled
// CHECK: [[SCALED:%.*]] = arith.mulf
// CHECK: ttg.local_alloc [[SCALED]] : {{.*}} -> !ttg.memdesc<64x64xf16, [[TURNED]], #smem>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @scaled(%p: tensor<64x64x!tt.ptr<f16>, #load>, %scale: tensor<64x64xf16, #blocked>, %y: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %x = tt.load %p : tensor<64x64x!tt.ptr<f16>, #load>
    %xb = ttg.convert_layout %x : tensor<64x64xf16, #load> -> tensor<64x64xf16, #blocked>
    %s = arith.mulf %scale, %xb : tensor<64x64xf16, #blocked>
    %a = ttg.convert_layout %s : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %d = tt.dot %a, %y, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    tt.return %d : tensor<64x64xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

// 8-bit factors in shared memory follow each other along K. Eight warps divide 64 rows by four, and the columns by two.
// CHECK-DAG: [[MMA:#mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, 32]}>
// CHECK-DAG: [[ROWS:#shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
// CHECK-DAG: [[COLUMNS:#shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
// CHECK-LABEL: @computed
// CHECK: [[SUM:%.*]] = arith.addi
// CHECK: [[A:%.*]] = ttg.local_alloc [[SUM]] : {{.*}} -> !ttg.memdesc<64x64xi8, [[ROWS]], #smem>
// CHECK: ttng.warp_group_dot [[A]], {{.*}} * !ttg.memdesc<64x64xi8, [[COLUMNS]], #smem> -> tensor<64x64xi32, [[MMA]]>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @computed(%x: tensor<64x64xi8, #blocked>, %y: tensor<64x64xi8, #blocked>, %c: tensor<64x64xi32, #blocked>) -> tensor<64x64xi32, #blocked> {
    %sum = arith.addi %x, %x : tensor<64x64xi8, #blocked>
    %a = ttg.convert_layout %sum : tensor<64x64xi8, #blocked> -> tensor<64x64xi8, #a>
    %b = ttg.convert_layout %y : tensor<64x64xi8, #blocked> -> tensor<64x64xi8, #b>
    %d = tt.dot %a, %b, %c : tensor<64x64xi8, #a> * tensor<64x64xi8, #b> -> tensor<64x64xi32, #blocked>
    tt.return %d : tensor<64x64xi32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

// What is computed from another product stays in registers; that product's rows stay within warps.
// CHECK-DAG: [[FIRST:#mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
// CHECK-LABEL: @chained
// CHECK: ttng.warp_group_dot {{.*}} -> tensor<128x64xf32, [[FIRST]]>
// CHECK: [[P:%.*]] = arith.truncf
// CHECK: [[A:%.*]] = ttg.convert_layout [[P]] : {{.*}} -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 2}>>
// CHECK: ttng.warp_group_dot [[A]], {{.*}} * !ttg.memdesc
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @chained(%x: tensor<128x64xf16, #a>, %y: tensor<64x64xf16, #b>, %z: tensor<64x64xf16, #b>, %c: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
    %p = tt.dot %x, %y, %c : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #blocked>
    %h = arith.truncf %p : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
    %a = ttg.convert_layout %h : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #a>
    %d = tt.dot %a, %z, %c : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #blocked>
    tt.return %d : tensor<128x64xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

// Fewer than 64 rows, and 8-bit floats whose sums must be exact, are left to single warps.
// CHECK-NOT: warp_group_dot
// CHECK-LABEL: @rows
// CHECK: tt.dot {{.*}} -> tensor<32x64xf32, #mma
// CHECK-LABEL: @exact
// CHECK: tt.dot {{.*}} tensor<64x64xf16, {{.*}} -> tensor<64x64xf32, #mma
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @rows(%a: tensor<32x64xf16, #a>, %b: tensor<64x64xf16, #b>, %c: tensor<32x64xf32, #blocked>) -> tensor<32x64xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<32x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #blocked>
    tt.return %d : tensor<32x64xf32, #blocked>
  }
  tt.func @exact(%a: tensor<64x64xf8E4M3FN, #a>, %b: tensor<64x64xf8E4M3FN, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %d = tt.dot %a, %b, %c {maxNumImpreciseAcc = 0 : i32} : tensor<64x64xf8E4M3FN, #a> * tensor<64x64xf8E4M3FN, #b> -> tensor<64x64xf32, #blocked>
    tt.return %d : tensor<64x64xf32, #blocked>
  }
}

// -----

// Factors that shared memory cannot hold leave the dot to the warps.
// CHECK-LABEL: @too_large
// CHECK-NOT: ttng.warp_group_dot
// CHECK: tt.dot {{.*}} -> tensor<4096x16xf32, #mma>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @too_large(%x: tensor<4096x16xf32, #a>, %y: tensor<16x16xf32, #b>, %c: tensor<4096x16xf32, #blocked>) -> tensor<4096x16xf32, #blocked> {
    %d = tt.dot %x, %y, %c, inputPrecision = tf32 : tensor<4096x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<4096x16xf32, #blocked>
    tt.return %d : tensor<4096x16xf32, #blocked>
  }
}
