# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Rotary embedding where neighbors are rotated together: pairs are split out of a row and joined again."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "rope_interleaved"
# grid = ["cdiv(rows, BLOCK_M)"]
# [sizes]
# rows = 524288
# dim = 128
# positions = 4096
# [args]
# x_ptr = { dtype = "fp16", shape = ["rows", "dim"], init = "randn", seed = 0 }
# cos_ptr = { dtype = "fp16", shape = ["positions", "dim//2"], init = "rand", seed = 1, low = -1.0 }
# sin_ptr = { dtype = "fp16", shape = ["positions", "dim//2"], init = "rand", seed = 2, low = -1.0 }
# out_ptr = { dtype = "fp16", shape = ["rows", "dim"] }
# [constexprs]
# BLOCK_M = 16
# DIM = "dim"
# [options]
# num_warps = 4
# [work]
# bytes = "4 * rows * dim"
# ///


@triton.jit
def rope_interleaved(
    x_ptr, cos_ptr, sin_ptr, out_ptr, rows, positions, BLOCK_M: tl.constexpr, DIM: tl.constexpr
):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    inside = row[:, None] < rows
    offsets = row[:, None] * DIM + tl.arange(0, DIM)[None, :]
    angles = (row % positions)[:, None] * (DIM // 2) + tl.arange(0, DIM // 2)[None, :]
    cos = tl.load(cos_ptr + angles, mask=inside, other=0.0).to(tl.float32)
    sin = tl.load(sin_ptr + angles, mask=inside, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    even, odd = tl.split(tl.reshape(x, (BLOCK_M, DIM // 2, 2)))
    turned = tl.join(even * cos - odd * sin, odd * cos + even * sin)
    tl.store(out_ptr + offsets, tl.reshape(turned, (BLOCK_M, DIM)).to(tl.float16), mask=inside)
