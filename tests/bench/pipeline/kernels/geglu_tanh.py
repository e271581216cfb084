# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""A gated activation with tanh and erf of libdevice, 16384 columns with four warps."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "geglu_tanh"
# grid = [4]
# [args]
# a_ptr = { dtype = "bf16", shape = [4, 16384] }
# b_ptr = { dtype = "bf16", shape = [4, 16384] }
# c_ptr = { dtype = "bf16", shape = [4, 16384] }
# stride = "16384"
# n = "16384"
# [constexprs]
# BLOCK = "16384"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def geglu_tanh(a_ptr, b_ptr, c_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * stride + at, mask=at < n, other=0).to(tl.float32)
    b = tl.load(b_ptr + row * stride + at, mask=at < n, other=0)
    inner = 0.7978845608028654 * (a + 0.044715 * a * a * a)
    gate = 0.5 * a * (1 + tl.extra.cuda.libdevice.tanh(inner))
    erf = 0.5 * a * (1 + tl.extra.cuda.libdevice.erf(a * 0.7071))
    tl.store(c_ptr + row * stride + at, (gate + erf).to(b.dtype) * b, mask=at < n)
