# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A grid as scripts have it that launch kernels, in quotes.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = "(cdiv(n, BLOCK),)"
#|       ^^^^^^^^^^^^^^^^^^^ launch-block-invalid: extents are the items of a list, found `(cdiv(n, BLOCK),)`
#|   note: write `["cdiv(n, BLOCK)"]`
#|   fix: write `["cdiv(n, BLOCK)"]` | ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
