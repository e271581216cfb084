# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Adds two vectors: the smallest kernel that has everything a kernel needs.

A kernel is one function that runs many times, once per *program*. Each program asks for its number,
works out which block of the data is its own, and handles that block as a whole.
"""

import triton
import triton.language as tl

# /// tilescope
# kernel = "vector_add"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 98432
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr + y_ptr" }
# n       = "n"
# [constexprs]
# BLOCK = "1024"
# [options]
# num_warps = 4
# [work]
# bytes = "12 * n"
# flops = "n"
# ///


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    # Program p owns the elements p * BLOCK ... p * BLOCK + BLOCK - 1.
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)

    # The last block may stick out over the end. Lanes whose mask is false touch no memory.
    mask = offsets < n

    # A pointer plus a block of offsets is a block of pointers: one load fetches them all.
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
