// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{starts work or waits for it, but names no queue}}
trace.scope 1 "copy" "ttg.async_copy_global_to_local" starts 1

// -----

// expected-error @+1 {{needs the number of a scope, from 1 to 65535}}
trace.scope 0 "load" "tt.load"

// -----

tt.func public @records() {
  // expected-error @+1 {{needs a power of two of records}}
  %w = trace.open programs [0] warps [0] records 100
  tt.return
}

// -----

tt.func public @programs() {
  // expected-error @+1 {{needs a program and a warp}}
  %w = trace.open programs [] warps [0] records 64
  tt.return
}

// -----

tt.func public @numbers() {
  // expected-error @+1 {{numbers programs and warps from 0}}
  %w = trace.open programs [-1] warps [0] records 64
  tt.return
}

// -----

tt.func public @mark() {
  %w = trace.open programs [0] warps [0] records 64
  // expected-error @+1 {{ends or begins a scope, or both}}
  trace.mark %w
  tt.return
}

// -----

tt.func public @scope() {
  %w = trace.open programs [0] warps [0] records 64
  // expected-error @+1 {{needs the number of a scope, from 1 to 65535}}
  trace.mark %w ends 70000
  tt.return
}
