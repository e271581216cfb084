// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -convert-ttg-to-llvm | FileCheck %s
// RUN: sed s/cuda:90/cuda:80/ %s | tilescope-opt -convert-ttg-to-llvm | FileCheck %s --check-prefix=OLD

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A kernel without products may take the registers that it wants.
  // CHECK-LABEL: llvm.func @launch
  // CHECK-SAME: nvvm.minctasm = 1 : i32
  // CHECK: llvm.nvvm.griddepcontrol.wait
  // CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
  // CHECK: llvm.nvvm.griddepcontrol.launch.dependents
  // Without dependent launches there is nothing to wait for.
  // OLD-LABEL: llvm.func @launch
  // OLD-NOT: griddepcontrol
  // OLD: llvm.nvvm.barrier.cta.sync.aligned.all
  tt.func public @launch() {
    tt.grid_dependency_wait
    gpu.barrier
    tt.grid_dependency_launch_dependents
    tt.return
  }
}
