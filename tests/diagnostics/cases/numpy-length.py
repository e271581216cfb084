# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The length of a block.
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
    m = len(x)
#|          ^ not-constexpr: `x` is a block, fp32[64]: its length is `x.shape[0]`
#|   fix: write `x.shape[0]` | x.shape[0]
    tl.store(out_ptr + i, x * m, mask=i < n)
