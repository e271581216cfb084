# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Elements of a block that are assigned.
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
    x[x < 0] = 0.0
#|  ^^^^^^^^ unsupported-syntax: a block cannot be changed in place: `x = tl.where(x < 0, 0.0, x)`
#|   note: `tl.where` makes a block with other elements; `tl.store` writes to memory
#|   fix: write `x = tl.where(x < 0, 0.0, x)` | x = tl.where(x < 0, 0.0, x)
    tl.store(out_ptr + i, x, mask=i < n)
