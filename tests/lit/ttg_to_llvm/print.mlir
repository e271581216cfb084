// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What printf gets: whole numbers of 32 bits and more, floats as doubles.
//
// RUN: tilescope-opt %s -allocate-shared-memory -insert-shared-barriers -convert-ttg-to-llvm | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-DAG: idx () f: %f\0A
  // CHECK-DAG: idx () hex f: %a\0A
  // CHECK-DAG: idx () hex i: 0x%08x\0A
  // CHECK-DAG: idx () hex b: 0x%02x\0A
  // CHECK-DAG: idx () l: %lli\0A
  tt.func public @k(%f: f32, %h: f16, %i: i32, %b: i8, %l: i64) {
    tt.print " f: " {hex = false, isSigned = array<i32: 0>} : %f : f32
    tt.print " hex f: " {hex = true, isSigned = array<i32: 0>} : %h : f16
    tt.print " hex i: " {hex = true, isSigned = array<i32: 1>} : %i : i32
    tt.print " hex b: " {hex = true, isSigned = array<i32: 1>} : %b : i8
    tt.print " l: " {hex = false, isSigned = array<i32: 1>} : %l : i64
    tt.return
  }
}
