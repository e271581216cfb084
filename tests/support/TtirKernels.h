// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::tests {

/// `out = x + y` over `n` elements, 1024 a program.
inline constexpr const char *kVectorAdd = R"(
tt.func public @add(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c1024 = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %base = arith.muli %pid, %c1024 : i32
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %b = tt.splat %base : i32 -> tensor<1024xi32>
  %o = arith.addi %b, %r : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %o, %ns : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %xv = tt.load %xp, %m : tensor<1024x!tt.ptr<f32>>
  %yv = tt.load %yp, %m : tensor<1024x!tt.ptr<f32>>
  %s = arith.addf %xv, %yv : tensor<1024xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %op = tt.addptr %os, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %op, %s, %m : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";

/// Each program makes the softmax of one row of at most 1024 elements.
inline constexpr const char *kSoftmax = R"(
tt.func public @softmax(%out: !tt.ptr<f32>, %in: !tt.ptr<f32>, %n: i32) {
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %n : i32
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<1024xi32>
  %ip = tt.addptr %in, %row : !tt.ptr<f32>, i32
  %is = tt.splat %ip : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %ia = tt.addptr %is, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %low = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %x = tt.load %ia, %m, %low : tensor<1024x!tt.ptr<f32>>
  %max = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %g = arith.maxnumf %a, %b : f32
    tt.reduce.return %g : f32
  }) : (tensor<1024xf32>) -> f32
  %ms = tt.splat %max : f32 -> tensor<1024xf32>
  %d = arith.subf %x, %ms : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %g = arith.addf %a, %b : f32
    tt.reduce.return %g : f32
  }) : (tensor<1024xf32>) -> f32
  %ss = tt.splat %sum : f32 -> tensor<1024xf32>
  %q = arith.divf %e, %ss : tensor<1024xf32>
  %op = tt.addptr %out, %row : !tt.ptr<f32>, i32
  %os = tt.splat %op : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %oa = tt.addptr %os, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %oa, %q, %m : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";

} // namespace tilescope::tests
