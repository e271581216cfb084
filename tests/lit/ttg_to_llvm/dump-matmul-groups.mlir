// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %S/../../e2e/dumps/matmul_groups.ttgir --loops-to-branches --allocate-global-scratch --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s
// A product for which a warp of its own loads: the others release slots, it fills them.
// CHECK: "ttg.total-num-warps" = 8
// CHECK-LABEL: llvm.func @mm_ws
// CHECK: mbarrier.try_wait.parity
// CHECK: wgmma.mma_async
// CHECK: mbarrier.arrive.shared::cta.b64
// CHECK: mbarrier.try_wait.parity
// CHECK: mbarrier.arrive.expect_tx
// CHECK-COUNT-3: cp.async.bulk.tensor.2d.shared::cluster
