# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Extents as scripts have them that launch kernels.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["lambda meta: (triton.cdiv(n, meta['BLOCK']),)"]
#|        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ launch-block-invalid: `lambda meta: (triton.cdiv(n, meta['BLOCK']),)` is a function: a grid has the numbers of programs themselves
#|   note: write what it returns, `cdiv(n, BLOCK)`
#|   fix: write `"cdiv(n, BLOCK)"` | "cdiv(n, BLOCK)"
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["[n]"], init = "randn" }
#|                                   ^^^^^ launch-block-invalid: extents are the items of a list, found `[n]`
#|   note: write `["n"]`
#|   fix: write `"n"` | "n"
# y_ptr = { dtype = "fp32", shape = ["n / 3"] }
#|                                   ^^^^^^^ launch-block-invalid: an extent must be an integer, found `333.333
#|   note: `n // 3` is a whole number
#|   fix: write `"n // 3"` | "n // 3"
# n = "n"
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
