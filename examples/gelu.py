# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""GELU, the activation function x * Phi(x), where Phi is the normal distribution's integral.

An elementwise kernel: its time is set by memory alone, so the arithmetic comes for free. The helper
is an ordinary function of the kernel language; calls of it are expanded in place.
"""

import triton
import triton.language as tl

# /// tilescope
# kernel = "gelu_kernel"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "0.5 * x_ptr * (1 + erf(x_ptr * 0.70710678))" }
# n       = "n"
# [constexprs]
# BLOCK = "1024"
# [options]
# num_warps = 4
# [work]
# bytes = "8 * n"
# flops = "8 * n"
# ///

# A global that a kernel reads must be a constexpr: its value becomes part of the compiled code.
INVERSE_SQRT_2 = tl.constexpr(0.7071067811865476)


@triton.jit
def gelu(x):
    return 0.5 * x * (1.0 + tl.erf(x * INVERSE_SQRT_2))


@triton.jit
def gelu_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    # Half-precision input is widened first: the math functions work in fp32 and fp64 only.
    y = gelu(x.to(tl.float32))
    tl.store(out_ptr + offsets, y, mask=mask)
