# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""GELU of bf16 with the error function: 134 MB go through memory."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "gelu"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 33554432
# [args]
# x_ptr = { dtype = "bf16", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "bf16", shape = ["n"] }
# [constexprs]
# BLOCK = 2048
# [work]
# bytes = "4 * n"
# ///


@triton.jit
def gelu(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    y = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(out_ptr + offsets, y.to(tl.bfloat16), mask=mask)
