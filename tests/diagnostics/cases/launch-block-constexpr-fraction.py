# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A fraction is told where it stands, not where the grid uses it.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 64
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# BLOCK = 64.0
#|        ^^^^ launch-block-invalid: `BLOCK` must be a whole number, found `64.0`
#|   note: `cdiv(n, BLOCK)` uses it
#|   fix: write `64` | 64
# ///


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 1.0, mask=i < n)
