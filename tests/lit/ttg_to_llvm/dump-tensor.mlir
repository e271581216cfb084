// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %S/../../e2e/dumps/matmul_tensor_groups.ttgir --loops-to-branches --allocate-global-scratch --allocate-shared-memory --allocate-tensor-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s
// RUN: tilescope-opt %S/../../e2e/dumps/scaled_tensor.ttgir --loops-to-branches --allocate-global-scratch --allocate-shared-memory --allocate-tensor-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s --check-prefix=SCALED
// RUN: tilescope-opt %S/../../e2e/dumps/gather.ttgir --loops-to-branches --allocate-global-scratch --allocate-shared-memory --allocate-tensor-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s --check-prefix=GATHER
// Made by Triton for sm_100.
// CHECK-LABEL: llvm.func @persist
// CHECK: tcgen05.alloc
// CHECK-DAG: tcgen05.mma.cta_group::1.kind::f16
// CHECK-DAG: tcgen05.ld.sync.aligned.32x32b.x64.b32
// CHECK-DAG: tcgen05.dealloc

// SCALED-LABEL: llvm.func @mm_scaled5
// SCALED: tcgen05.cp.cta_group::1.warpx4.32x128b
// SCALED: tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [$1], $2, $3, $4, [$5], [$6], $7;

// GATHER-LABEL: llvm.func @gather_desc
// GATHER: cp.async.bulk.tensor.2d.tile::gather4.shared::cluster.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4, $5, $6, $7}], [$8];
// GATHER: cp.async.bulk.tensor.2d.tile::scatter4.global.shared::cta.bulk_group [$2, {$3, $4, $5, $6, $7}], [$1];
