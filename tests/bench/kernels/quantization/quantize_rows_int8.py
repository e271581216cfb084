# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Dynamic quantization to int8 with one scale for each row."""

import triton
import triton.language as tl
import triton.language.extra.libdevice as libdevice

# /// tilescope
# kernel = "quantize_rows_int8"
# grid = ["n_rows"]
# [sizes]
# n_rows = 32768
# n_cols = 4096
# [args]
# x_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "i8", shape = ["n_rows", "n_cols"] }
# scale_ptr = { dtype = "fp32", shape = ["n_rows"] }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [options]
# num_warps = 8
# [work]
# bytes = "3 * n_rows * n_cols"
# ///


@triton.jit
def quantize_rows_int8(x_ptr, out_ptr, scale_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    x = tl.load(x_ptr + row * n_cols + columns, mask=mask, other=0.0).to(tl.float32)
    peak = tl.maximum(tl.max(tl.abs(x)), 1e-10)
    scale = peak / 127.0
    quantized = libdevice.rint(x * (127.0 / peak)).to(tl.int8)
    tl.store(out_ptr + row * n_cols + columns, quantized, mask=mask)
    tl.store(scale_ptr + row, scale)
