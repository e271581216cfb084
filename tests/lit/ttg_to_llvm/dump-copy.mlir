// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %S/../../e2e/dumps/copy.ttgir --loops-to-branches --allocate-global-scratch --allocate-shared-memory --insert-shared-barriers --convert-ttg-to-llvm | FileCheck %s
// Made by Triton for sm_90: a copy whose descriptions the kernel writes itself.
// CHECK: ttg.global_scratch_memory_size = 256
// CHECK-LABEL: llvm.func @copy_device
// CHECK-COUNT-2: tensormap.cp_fenceproxy
// CHECK: cp.async.bulk.tensor.2d.shared::cluster
// CHECK: mbarrier.try_wait.parity
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group
