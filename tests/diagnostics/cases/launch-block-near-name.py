# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A misspelled name in an expression of the launch block.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOK)"]
#|                 ^^^^ launch-block-invalid: `BLOK` is not defined: write a number, or use `BLOCK` or `n`
#|   note: did you mean `BLOCK`?
#|   fix: write `BLOCK` | BLOCK
# [sizes]
# n = 500
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# BLOCK = 128
# ///


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 1.0, mask=i < n)
