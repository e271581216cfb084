# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A bound of the index that is not that of its neighbor.
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
    m = i < n
    a = tl.load(x + i - 1, mask=m & (i >= 0), other=0.0)
#|      ^~ run-access-outside: `i - 1` is negative where `i >= 0` is true: `i >= 1`
#|   fix: write `i >= 1` | i >= 1
    b = tl.load(x + i - 2, mask=m & (i > 0), other=0.0)
#|      ^~ run-access-outside: `i - 2` is negative where `i > 0` is true: `i >= 2`
#|   fix: write `i >= 2` | i >= 2
    tl.store(out + i, a + b, mask=m)
