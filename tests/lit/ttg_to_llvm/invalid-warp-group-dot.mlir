// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s --convert-ttg-to-llvm -split-input-file -verify-diagnostics

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 32]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @across(%x: tensor<64x32xi8, #left>, %b: !ttg.memdesc<32x32xi8, #shared, #smem>, %c: tensor<64x32xi32, #mma>) {
    // expected-error @+1 {{cannot read a factor that lies in shared memory as #ttg.nvmma_shared}}
    %d = ttng.warp_group_dot %x, %b, %c : tensor<64x32xi8, #left> * !ttg.memdesc<32x32xi8, #shared, #smem> -> tensor<64x32xi32, #mma>
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 4]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 64}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @type(%x: tensor<64x8xf64, #left>, %b: !ttg.memdesc<8x8xf64, #shared, #smem>, %c: tensor<64x8xf64, #mma>) {
    // expected-error @+1 {{no matrix instruction multiplies 'f64' by 'f64' into 'f64'}}
    %d = ttng.warp_group_dot %x, %b, %c : tensor<64x8xf64, #left> * !ttg.memdesc<8x8xf64, #shared, #smem> -> tensor<64x8xf64, #mma>
    tt.return
  }
}
