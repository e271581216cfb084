# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Adds two vectors: 201 MB go through memory."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "vector_add"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 16777216
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# BLOCK = 1024
# [work]
# bytes = "12 * n"
# ///


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)
