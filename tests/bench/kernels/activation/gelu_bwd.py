# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Exact GELU backward on fp16 through the error function."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "gelu_bwd"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 67108864
# [args]
# dy_ptr = { dtype = "fp16", shape = ["n"], init = "randn", seed = 0 }
# x_ptr = { dtype = "fp16", shape = ["n"], init = "randn", seed = 1 }
# dx_ptr = { dtype = "fp16", shape = ["n"] }
# [constexprs]
# BLOCK = 2048
# [options]
# num_warps = 8
# [work]
# bytes = "6 * n"
# ///


@triton.jit
def gelu_bwd(dy_ptr, x_ptr, dx_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    dy = tl.load(dy_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    cdf = 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))
    pdf = 0.3989422804014327 * tl.exp(-0.5 * x * x)
    tl.store(dx_ptr + offsets, (dy * (cdf + x * pdf)).to(tl.float16), mask=mask)
