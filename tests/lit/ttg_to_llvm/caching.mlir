// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -convert-ttg-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A cache operator leaves no place for a priority in L1; a volatile access none for both.
  // CHECK-LABEL: llvm.func @caching
  // CHECK: ld.global.cg.L2::cache_hint.b32
  // CHECK: ld.global.L1::evict_last.L2::cache_hint.b32
  // CHECK: ld.volatile.global.b32
  // CHECK: st.global.wb.L2::cache_hint.b32
  tt.func public @caching(%x: tensor<128x!tt.ptr<f32>, #blocked>) {
    %a = tt.load %x cacheModifier = cg evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>, #blocked>
    %b = tt.load %x evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>, #blocked>
    %c = tt.load %x evictionPolicy = evict_first {isVolatile = true} : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %x, %a cacheModifier = wb evictionPolicy = evict_first : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
