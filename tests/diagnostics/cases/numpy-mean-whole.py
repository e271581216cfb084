# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mean of a block that one program holds whole.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 50
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = [1] }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    m = x.mean()
#|        ^^^^ unknown-attribute: no attribute `mean`
#|   note: divide the sum by the number of elements: `tl.sum(x) / n`
#|   fix: write `tl.sum(x) / n` | tl.sum(x) / n
    tl.store(out_ptr, m)
