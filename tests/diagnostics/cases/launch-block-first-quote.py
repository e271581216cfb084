# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The first quote of a string is missing.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, B)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "rand" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = minimum(x_ptr * 2, 1)" }
#|                                                      ^^^^^^^^^^^^^^^^^^^^^^ launch-block-invalid: a string ends at `minimum(x_ptr * 2, 1)"`, but its first quote is missing
#|   note: write `"minimum(x_ptr * 2, 1)"`
#|   fix: "minimum(x_ptr * 2, 1)"
# n = "n"
# [constexprs]
# B = 256
# ///


@triton.jit
def k(x_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, tl.minimum(x * 2, 1), mask=i < n)
