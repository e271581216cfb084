// RUN: tilescope-opt %s --split-input-file --tilescope-accelerate-matmul | FileCheck %s

// Warps divide a square result in both directions.
// CHECK: #[[MMA:.+]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK-LABEL: @half
// CHECK-DAG: %[[A:.+]] = ttg.convert_layout %{{.*}} -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 2}>>
// CHECK-DAG: %[[B:.+]] = ttg.convert_layout %{{.*}} -> tensor<32x16xf16, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 2}>>
// CHECK-DAG: %[[C:.+]] = ttg.convert_layout %{{.*}} -> tensor<32x16xf32, #[[MMA]]>
// CHECK: %[[D:.+]] = tt.dot %[[A]], %[[B]], %[[C]]
// CHECK: ttg.convert_layout %[[D]] : tensor<32x16xf32, #[[MMA]]> -> tensor<32x16xf32, #blocked>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @half(%a: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>,
                %b: tensor<32x16xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>,
                %c: tensor<32x16xf32, #blocked>) -> tensor<32x16xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x16xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<32x16xf32, #blocked>
    tt.return %d : tensor<32x16xf32, #blocked>
  }
}

// -----

// Only factors that may be rounded to tf32 leave the multiply-adds.
// CHECK: #[[MMA:.+]] = #ttg.nvidia_mma
// CHECK-LABEL: @single
// CHECK: tt.dot {{.*}} -> tensor<16x16xf32, #blocked>
// CHECK: tt.dot {{.*}}, inputPrecision = tf32 {{.*}}kWidth = 1{{.*}} -> tensor<16x16xf32, #[[MMA]]>
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  tt.func @single(%a: tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>,
                  %b: tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>,
                  %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %d = tt.dot %a, %b, %c, inputPrecision = ieee : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x16xf32, #blocked>
    %e = tt.dot %a, %b, %d, inputPrecision = tf32 : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x16xf32, #blocked>
    tt.return %e : tensor<16x16xf32, #blocked>
  }
}

// -----

// 8-bit floats are widened for sm_90's warp-level instructions, and multiplied as they are on sm_89.
// CHECK-LABEL: @float8
// CHECK-COUNT-2: tt.fp_to_fp {{.*}}f8E4M3FN{{.*}} -> {{.*}}f16
// CHECK: tt.dot {{.*}}f16{{.*}} -> tensor<16x16xf32, #mma>
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @float8(%a: tensor<16x32xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>,
                  %b: tensor<32x16xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>,
                  %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<16x32xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x16xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x16xf32, #blocked>
    tt.return %d : tensor<16x16xf32, #blocked>
  }
}

// -----

// CHECK-LABEL: @native_float8
// CHECK-NOT: tt.fp_to_fp
// CHECK: tt.dot {{.*}}f8E4M3FN{{.*}}kWidth = 4{{.*}} -> tensor<16x16xf32, #mma>
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:89"} {
  tt.func @native_float8(%a: tensor<16x32xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>,
                         %b: tensor<32x16xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>,
                         %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<16x32xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x16xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x16xf32, #blocked>
    tt.return %d : tensor<16x16xf32, #blocked>
  }
}

// -----

// A product whose result becomes the next one's factor keeps its rows within warps.
// CHECK: #[[ROWS:.+]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// CHECK-LABEL: @chained
// CHECK: tt.dot {{.*}} -> tensor<32x32xf32, #[[ROWS]]>
// CHECK: tt.dot {{.*}} -> tensor<32x32xf32, #[[ROWS]]>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  tt.func @chained(%a: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>,
                   %b: tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>,
                   %c: tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<32x32xf32, #blocked>
    %e = arith.truncf %d : tensor<32x32xf32, #blocked> to tensor<32x32xf16, #blocked>
    %f = ttg.convert_layout %e : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    %g = tt.dot %f, %b, %c : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<32x32xf32, #blocked>
    tt.return %g : tensor<32x32xf32, #blocked>
  }
}

// -----

// A more exact product of fp32 is several of its factors' parts, the smallest first; infinite factors leave no NaN.
// CHECK-LABEL: @three_tf32
// CHECK: %[[A0:.+]] = tt.elementwise_inline_asm "cvt.rna.tf32.f32 $0, $1;" {{.*}} %[[A:.+]] : tensor<16x16xf32, #ttg.dot_op
// CHECK: %[[A1:.+]] = arith.subf %[[A]], %[[A0]]
// CHECK: %[[B0:.+]] = tt.elementwise_inline_asm {{.*}} %[[B:.+]] : tensor<16x16xf32, #ttg.dot_op
// CHECK: %[[B1:.+]] = arith.subf %[[B]], %[[B0]]
// CHECK: %[[S0:.+]] = tt.dot %[[A1]], %[[B0]], %[[ZERO:.+]], inputPrecision = tf32
// CHECK: %[[S1:.+]] = tt.dot %[[A0]], %[[B1]], %[[S0]], inputPrecision = tf32
// CHECK: %[[NAN:.+]] = arith.cmpf uno, %[[S1]], %[[S1]]
// CHECK: %[[S2:.+]] = arith.select %[[NAN]], %[[ZERO]], %[[S1]]
// CHECK: %[[S3:.+]] = tt.dot %[[A0]], %[[B0]], %[[S2]], inputPrecision = tf32
// CHECK: arith.addf %[[S3]], %{{.*}} : tensor<16x16xf32, #mma>
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @three_tf32(%a: tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>,
                      %b: tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>,
                      %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x16xf32, #blocked>
    tt.return %d : tensor<16x16xf32, #blocked>
  }
}

// -----

// Three parts of bf16: six products.
// CHECK-LABEL: @six_bf16
// CHECK-COUNT-6: arith.truncf {{.*}} to tensor<16x16xbf16, #ttg.dot_op<{{.*}}kWidth = 2
// CHECK-COUNT-5: tt.dot {{.*}}xbf16{{.*}} -> tensor<16x16xf32, #mma>
// CHECK: arith.cmpf uno
// CHECK: tt.dot {{.*}}xbf16{{.*}} -> tensor<16x16xf32, #mma>
// CHECK-NOT: tt.dot
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {
  tt.func @six_bf16(%a: tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>,
                    %b: tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>,
                    %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %d = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x16xf32, #blocked>
    tt.return %d : tensor<16x16xf32, #blocked>
  }
}

// -----

// Where groups of warps take the parts: those of the left factor in registers, those of the right
// one in memory, each handed over once.
// CHECK-LABEL: @three_bf16_by_warp_groups
// CHECK: %[[A0:.+]] = arith.truncf {{.*}} to tensor<64x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
// CHECK: %[[A1:.+]] = arith.truncf {{.*}} to tensor<64x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
// CHECK: %[[B0:.+]] = arith.truncf %{{.*}} : tensor<32x64xf32, #blocked{{.*}}> to tensor<32x64xbf16
// CHECK: %[[M0:.+]] = ttg.local_alloc %[[B0]]
// CHECK: %[[M1:.+]] = ttg.local_alloc
// CHECK-NOT: ttg.local_alloc
// CHECK: %[[S0:.+]] = ttng.warp_group_dot %[[A1]], %[[M0]]
// CHECK: %[[S1:.+]] = ttng.warp_group_dot %[[A0]], %[[M1]], %[[S0]]
// CHECK: arith.cmpf uno
// CHECK: ttng.warp_group_dot %[[A0]], %[[M0]]
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @three_bf16_by_warp_groups(%a: tensor<64x32xf32, #blocked>, %b: tensor<32x64xf32, #blocked>,
                                     %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %l = ttg.convert_layout %a : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    %r = ttg.convert_layout %b : tensor<32x64xf32, #blocked> -> tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
    %d = tt.dot %l, %r, %c, inputPrecision = bf16x3 : tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x64xf32, #blocked>
    tt.return %d : tensor<64x64xf32, #blocked>
  }
}
