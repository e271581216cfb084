# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Matrix times vector in fp16 by elementwise products and a reduction for each tile of rows."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "matvec"
# grid = ["cdiv(M, BLOCK_M)"]
# [sizes]
# M = 16384
# K = 8192
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# x_ptr = { dtype = "fp16", shape = ["K"], init = "randn", seed = 1 }
# y_ptr = { dtype = "fp32", shape = ["M"] }
# [constexprs]
# BLOCK_M = 8
# BLOCK_K = 512
# [options]
# num_warps = 4
# [work]
# bytes = "2 * M * K"
# ///


@triton.jit
def matvec(a_ptr, x_ptr, y_ptr, M, K, BLOCK_M: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_K), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        mask = (rows[:, None] < M) & (inner[None, :] + k < K)
        a = tl.load(a_ptr + rows[:, None] * K + k + inner[None, :], mask=mask, other=0.0).to(tl.float32)
        x = tl.load(x_ptr + k + inner, mask=inner + k < K, other=0.0).to(tl.float32)
        total += a * x[None, :]
    tl.store(y_ptr + rows, tl.sum(total, axis=1), mask=rows < M)
