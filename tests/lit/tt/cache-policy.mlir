// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Since 3.9 Triton says in one attribute which caches an access uses. Both notations are read.
// RUN: tilescope-opt %s | FileCheck %s --check-prefix=TWO
// RUN: tilescope-opt %s --triton-version=3.9 | FileCheck %s --check-prefix=ONE
// RUN: tilescope-opt %s --triton-version=3.9 | tilescope-opt | FileCheck %s --check-prefix=TWO
// RUN: tilescope-opt %s --mlir-print-op-generic | tilescope-opt | FileCheck %s --check-prefix=TWO

tt.func @accesses(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %d: !tt.tensordesc<tensor<16x64xf16>>, %i: i32) {
  // TWO: tt.load %arg0, %arg1 cacheModifier = cg evictionPolicy = evict_first {isVolatile = true, note} : tensor
  // ONE: tt.load %arg0, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>, isVolatile = true, note} : tensor
  %0 = tt.load %p, %m cacheModifier = cg evictionPolicy = evict_first {isVolatile = true, note} : tensor<8x!tt.ptr<f32>>
  // TWO: tt.load %arg0, %arg1 cacheModifier = cg evictionPolicy = evict_first {isVolatile = true, note} : tensor
  // ONE: tt.load %arg0, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>, isVolatile = true, note} : tensor
  %1 = tt.load %p, %m {isVolatile = true, cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>, note} : tensor<8x!tt.ptr<f32>>
  // What is not said is not printed.
  // TWO: tt.load %arg0 : tensor
  // ONE: tt.load %arg0 : tensor
  %2 = tt.load %p : tensor<8x!tt.ptr<f32>>
  // TWO: tt.store %arg0, %{{[0-9]+}}, %arg1 evictionPolicy = evict_last : tensor
  // ONE: tt.store %arg0, %{{[0-9]+}}, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>} : tensor
  tt.store %p, %2, %m {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>} : tensor<8x!tt.ptr<f32>>
  // TWO: tt.descriptor_load %{{[a-z0-9]+}}[%{{[a-z0-9]+}}, %{{[a-z0-9]+}}] cacheModifier = ca : !tt.tensordesc
  // ONE: tt.descriptor_load %{{[a-z0-9]+}}[%{{[a-z0-9]+}}, %{{[a-z0-9]+}}] {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_normal>} : !tt.tensordesc
  %3 = tt.descriptor_load %d[%i, %i] cacheModifier = ca : !tt.tensordesc<tensor<16x64xf16>> -> tensor<16x64xf16>
  tt.return
}
