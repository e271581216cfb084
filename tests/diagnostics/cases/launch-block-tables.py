# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Misspelled tables are read as what they are meant to be, so that nothing else is reported.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [size]
#| ^^^^ launch-block-invalid: unknown key `size`
#|   note: did you mean `sizes`?
#|   fix: write `sizes`
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexpr]
#| ^^^^^^^^^ launch-block-invalid: unknown key `constexpr`
#|   fix: write `constexprs`
# BLOCK = 256
# ///


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
