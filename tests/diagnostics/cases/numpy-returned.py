# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A result that is returned, as a function of NumPy does.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr + x_ptr" }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    return x + x
#|  ^^^^^^^^^^^^ return-type: `k` returns a value, but a kernel returns nothing: store the result with `tl.store`
#|   note: only a function that a kernel calls can return a value
#|   fix: store it: `tl.store(out_ptr + i, x + x, mask=i < n)` | tl.store(out_ptr + i, x + x, mask=i < n)
