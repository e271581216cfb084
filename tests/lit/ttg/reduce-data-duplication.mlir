// RUN: tilescope-opt %s --tilescope-reduce-data-duplication | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [1, 0]}>
#fma = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>

// CHECK-DAG: #[[PLAIN:.+]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// CHECK-DAG: #[[SWIZZLED:.+]] = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>

// CHECK-LABEL: @fma
// CHECK: %[[M:.+]] = ttg.local_alloc %{{.*}} -> !ttg.memdesc<64x32xf16, #[[PLAIN]], #smem>
// CHECK: ttg.local_load %[[M]] : {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #{{.*}}}>>
tt.func @fma(%x: tensor<64x32xf16, #b>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #fma}>> {
  %y = ttg.convert_layout %x : tensor<64x32xf16, #b> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #fma}>>
  tt.return %y : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #fma}>>
}

// CHECK-LABEL: @mma
// CHECK: ttg.local_alloc %{{.*}} -> !ttg.memdesc<64x32xf16, #[[SWIZZLED]], #smem>
tt.func @mma(%x: tensor<64x32xf16, #b>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> {
  %y = ttg.convert_layout %x : tensor<64x32xf16, #b> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  tt.return %y : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
}

// Accumulators become factors of the next dot inside their threads.
// CHECK-LABEL: @registers_only
// CHECK: ttg.convert_layout
#rows = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
tt.func @registers_only(%x: tensor<64x32xf16, #rows>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #rows, kWidth = 2}>> {
  %y = ttg.convert_layout %x : tensor<64x32xf16, #rows> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #rows, kWidth = 2}>>
  tt.return %y : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #rows, kWidth = 2}>>
}
