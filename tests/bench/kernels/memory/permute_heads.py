# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Splits packed projections into heads: (batch, length, heads, dim) becomes (batch, heads, length, dim)."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "permute_heads"
# grid = ["batch * heads", "cdiv(length, BLOCK)"]
# [sizes]
# batch = 8
# length = 4096
# heads = 32
# [args]
# x_ptr = { dtype = "fp16", shape = ["batch", "length", "heads", 128], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp16", shape = ["batch", "heads", "length", 128] }
# [constexprs]
# BLOCK = 32
# DIM = 128
# [options]
# num_warps = 4
# [work]
# bytes = "4 * batch * length * heads * 128"
# ///


@triton.jit
def permute_heads(x_ptr, out_ptr, length, heads, BLOCK: tl.constexpr, DIM: tl.constexpr):
    batch = tl.program_id(0) // heads
    head = tl.program_id(0) % heads
    rows = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    dims = tl.arange(0, DIM)
    mask = rows[:, None] < length
    source = ((batch * length + rows) * heads + head)[:, None] * DIM + dims[None, :]
    target = ((batch * heads + head) * length + rows)[:, None] * DIM + dims[None, :]
    tl.store(out_ptr + target, tl.load(x_ptr + source, mask=mask), mask=mask)
