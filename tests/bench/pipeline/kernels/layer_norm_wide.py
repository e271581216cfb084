# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Layer norm of a whole row of 32768 columns with four warps."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "layer_norm_wide"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp16", shape = [4, 32768] }
# w_ptr = { dtype = "fp16", shape = [32768] }
# b_ptr = { dtype = "fp16", shape = [32768] }
# y_ptr = { dtype = "fp16", shape = [4, 32768] }
# mean_ptr = { dtype = "fp32", shape = [4] }
# rstd_ptr = { dtype = "fp32", shape = [4] }
# stride = "32768"
# n = "32768"
# eps = 1e-5
# [constexprs]
# BLOCK = "32768"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def layer_norm_wide(x_ptr, w_ptr, b_ptr, y_ptr, mean_ptr, rstd_ptr, stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    x = tl.load(x_ptr + row * stride + columns, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, 0) / n
    centered = tl.where(mask, x - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(centered * centered, 0) / n + eps)
    w = tl.load(w_ptr + columns, mask=mask, other=0.0).to(tl.float32)
    b = tl.load(b_ptr + columns, mask=mask, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * stride + columns, (centered * rstd * w + b).to(y_ptr.dtype.element_ty), mask=mask)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
