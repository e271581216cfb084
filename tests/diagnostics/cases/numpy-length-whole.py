# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The length of a block that one program holds whole.
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
    m = len(x)
#|          ^ not-constexpr: `x` is a block, fp32[64]: its length is `x.shape[0]`
#|   fix: write `n` | n
#|   fix: write `x.shape[0]` | x.shape[0]
    tl.store(out_ptr, tl.sum(x) / m)
