# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Sorts each row of 1024 numbers by a bitonic network."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "sort_rows"
# grid = ["n_rows"]
# [sizes]
# n_rows = 32768
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", 1024], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", 1024] }
# [constexprs]
# WIDTH = 1024
# [options]
# num_warps = 4
# [work]
# bytes = "n_rows * 8 * 1024"
# ///


@triton.jit
def sort_rows(x_ptr, out_ptr, WIDTH: tl.constexpr):
    offsets = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    tl.store(out_ptr + offsets, tl.sort(tl.load(x_ptr + offsets)))
