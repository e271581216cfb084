# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""128 taps of a filter, unrolled in the source."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "static_range_128"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4096] }
# w_ptr = { dtype = "fp32", shape = [128] }
# y_ptr = { dtype = "fp32", shape = [4096] }
# n = "4096"
# [constexprs]
# TAPS = "128"
# BLOCK = "1024"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def static_range_128(x_ptr, w_ptr, y_ptr, n, TAPS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], tl.float32)
    for tap in tl.static_range(TAPS):
        x = tl.load(x_ptr + at + tap, mask=at + tap < n, other=0.0)
        w = tl.load(w_ptr + tap)
        acc += tl.where(x > 0, x * w, tl.exp(x) - 1.0)
    tl.store(y_ptr + at, acc, mask=at < n)
