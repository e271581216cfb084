# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A size of the data that is no power of 2 stays: the block gets an extent of its own.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["n_rows"]
# [sizes]
# n_rows = 8
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# [constexprs]
# n_cols = 1000
# ///


@triton.jit
def k(x_ptr, n_cols: tl.constexpr):
    cols = tl.arange(0, n_cols)
#|                      ^^^^^^ bad-shape: must be a power of 2, but is 1000
#|   note: take the next power of 2, 1024
#|   note: `n_cols` is a size of the data, too, and stays: add a parameter `BLOCK: tl.constexpr` of 1024, and write `tl.arange(0, BLOCK)` and `mask=… < n_cols`
    x = tl.load(x_ptr + tl.program_id(0) * n_cols)
