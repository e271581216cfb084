# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A launch passes what is not annotated at run time, whatever the launch block calls it.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# p = { dtype = "fp32", shape = [64] }
# [constexprs]
# BLOCK = 64
# ROUNDS = 2
# SCALE = 3
# ONE = 1
# KIND = "tl.float32"
# ///


@triton.jit
def half(p, SIZE: tl.constexpr):
    return tl.load(p + tl.arange(0, SIZE // 2))


@triton.jit
def k(p, BLOCK, ROUNDS: int, SCALE, ONE, KIND):
#|       ^^^^^ not-constexpr: `BLOCK` must be annotated with `tl.constexpr`: without it, a launch passes `64` at run time
#|   from: a constexpr is needed here
#|   fix: annotate `BLOCK` with `tl.constexpr` | BLOCK: tl.constexpr
#|              ^^^^^^^^^^^ not-constexpr: `ROUNDS` must be annotated with `tl.constexpr`
#|   fix: | ROUNDS: tl.constexpr
    x = tl.sum(half(p, BLOCK)).to(KIND)
    for i in tl.static_range(ROUNDS):
        x += i * SCALE
    tl.store(p + tl.arange(0, ONE), x)
