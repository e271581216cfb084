# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A range as long as the array.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr" }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, n)
#|                   ^ not-constexpr: the number of indices must be a `tl.constexpr`, and `n` (int32) is known at run time: `tl.arange(0, BLOCK)`
#|   note: a mask keeps the indices within the array: `mask=i < n` of a load or store at `i`
#|   fix: write `BLOCK` | BLOCK
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, x)
