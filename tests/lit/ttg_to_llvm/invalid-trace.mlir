// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// RUN: tilescope-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{starts work or waits for it, but names no queue}}
trace.scope 1 "copy" "ttg.async_copy_global_to_local" starts 1

// -----

// expected-error @+1 {{needs the number of a scope, from 1 to 16383}}
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

tt.func public @nothing() {
  %w = trace.open programs [0] warps [0] records 64
  %c = trace.clock %w
  // expected-error @+1 {{ends or begins a scope at each read of the clock, or both}}
  trace.record %w begins 1 at %c, at %c
  tt.return
}

// -----

tt.func public @scope() {
  %w = trace.open programs [0] warps [0] records 64
  %c = trace.clock %w
  // expected-error @+1 {{needs numbers of scopes, from 1 to 16383}}
  trace.record %w ends 70000 at %c
  tt.return
}

// -----

tt.func public @many() {
  %w = trace.open programs [0] warps [0] records 64
  %c = trace.clock %w
  // expected-error @+1 {{has up to 3 reads of the clock}}
  trace.record %w begins 1 at %c, ends 1 at %c, begins 2 at %c, ends 2 at %c
  tt.return
}

// -----

tt.func public @overlap() {
  %w = trace.open programs [0] warps [0] records 64
  %c = trace.clock %w
  // expected-error @+1 {{has scopes that overlap, or whose numbers do not follow each other}}
  trace.record %w begins 1 at %c, begins 2 at %c
  tt.return
}

// -----

tt.func public @gap() {
  %w = trace.open programs [0] warps [0] records 64
  %c = trace.clock %w
  // expected-error @+1 {{has scopes that overlap, or whose numbers do not follow each other}}
  trace.record %w begins 1 at %c, ends 1 begins 3 at %c
  tt.return
}
