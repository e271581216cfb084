# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Lengths of rows whose mask stands behind the pointer without a name.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["m"]
# [sizes]
# m = 4
# n = 50
# [args]
# x_ptr = { dtype = "fp32", shape = ["m", "n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["m"] }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x_ptr + r * n + c, c < n, other=0.0)
    a = tl.sum(v) / len(v)
#|                      ^ not-constexpr: its length is `v.shape[0]`
#|   fix: write `n` | n
#|   fix: write `v.shape[0]` | v.shape[0]
    b = tl.sum(v) / v.size
#|                    ^^^^ unknown-attribute: has no attribute `size`
#|   fix: write `n` | n
    tl.store(out_ptr + r, a + b)
