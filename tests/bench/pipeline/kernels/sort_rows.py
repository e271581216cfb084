# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Sorts rows of 4096."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "sort_rows"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 4096] }
# y_ptr = { dtype = "fp32", shape = [4, 4096] }
# [constexprs]
# BLOCK = "4096"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def sort_rows(x_ptr, y_ptr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * BLOCK + columns)
    tl.store(y_ptr + row * BLOCK + columns, tl.sort(x))
