// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %S/../../e2e/dumps/matmul.ttgir --loops-to-branches --allocate-global-scratch --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s
// Made by Triton for sm_90: a product whose factors come in three slots.
// CHECK-LABEL: llvm.func @mm_desc
// CHECK: mbarrier.try_wait.parity
// CHECK: wgmma.mma_async
// CHECK: cp.async.bulk.tensor.2d.shared::cluster
