# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A quotient that is rounded up is `cdiv`.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["ceil(n / BLOCK)"]
#|        ^^^^^^^^^^^^^^^^^ launch-block-invalid: a grid extent must be an integer
#|   note: `cdiv(n, BLOCK)` rounds up
#|   fix: write `"cdiv(n, BLOCK)"`
# [sizes]
# n = 64
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 1.0, mask=i < n)
