# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A branch on a comparison of blocks.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "maximum(x_ptr, 0)" }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    if x > 0:
#|     ^^^^^ ambiguous-condition: this condition is 64 answers at once, one for each element of int1[64]: use `mask=` or `tl.where`
#|   note: a branch takes one answer: `tl.where(x > 0, a, b)` is `a` where it is true and `b` elsewhere
#|   note: to leave out elements of a load or store, pass the condition as its `mask=`
#|   fix: write `y = tl.where(x > 0, x, 0.0)` | y = tl.where(x > 0, x, 0.0)
        y = x
    else:
        y = 0.0
    tl.store(out_ptr + i, y, mask=i < n)
