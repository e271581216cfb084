# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mean, which kernels do not have.
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
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    x = x.mean()
#|        ^^^^ unknown-attribute: fp32[64] has no attribute `mean`
#|   note: divide the sum by the number of elements: `tl.sum(x) / tl.sum((i < n).to(tl.float32))`
#|   note: this is the mean of a program's block; that of all `n` elements takes the sums of all programs
#|   fix: write `tl.sum(x) / tl.sum((i < n).to(tl.float32))` | tl.sum(x) / tl.sum((i < n).to(tl.float32))
    tl.store(out_ptr + i, x, mask=i < n)
