# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Unpacks 4-bit weights along the rows of a matrix and scales them to fp16, one scale for each group of rows."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "unpack_int4"
# grid = ["cdiv(N, BLOCK_N)", "K // GROUP"]
# [sizes]
# K = 8192
# N = 16384
# [args]
# packed_ptr = { dtype = "i32", shape = ["K//8", "N"], init = "randint", seed = 0, low = -2147483647, high = 2147483647 }
# scale_ptr = { dtype = "fp16", shape = ["K//GROUP", "N"], init = "rand", seed = 1 }
# out_ptr = { dtype = "fp16", shape = ["K", "N"] }
# [constexprs]
# GROUP = 128
# BLOCK_N = 64
# [options]
# num_warps = 4
# [work]
# bytes = "5 * K * N // 2"
# ///


@triton.jit
def unpack_int4(packed_ptr, scale_ptr, out_ptr, K, N, GROUP: tl.constexpr, BLOCK_N: tl.constexpr):
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    group = tl.program_id(1)
    mask = columns[None, :] < N
    scale = tl.load(scale_ptr + group * N + columns, mask=columns < N)
    rows = group * GROUP + tl.arange(0, GROUP)
    words = tl.load(packed_ptr + (rows // 8)[:, None] * N + columns[None, :], mask=mask)
    values = ((words >> ((rows % 8) * 4)[:, None]) & 15) - 8
    out = values.to(tl.float16) * scale[None, :]
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], out, mask=mask)
