# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A comparison that is turned round.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, B)"]
# [sizes]
# n = 100
# [args]
# x = { dtype = "fp32", shape = ["n"], init = "randn" }
# out = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# B = 64
# ///


@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i > n
    v = tl.load(x + i, mask=m, other=0.0)
#|      ^~ run-access-outside: `i > n` is true past the end alone: `i < n`
#|   fix: | i < n
    tl.store(out + i, v, mask=i < n)
