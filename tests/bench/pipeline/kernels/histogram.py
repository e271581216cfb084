# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Counts of 16384 values in 1024 bins."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "histogram"
# grid = [2]
# [args]
# x_ptr = { dtype = "i32", shape = [32768] }
# y_ptr = { dtype = "i32", shape = [1024] }
# n = "32768"
# [constexprs]
# BLOCK = "16384"
# BINS = "1024"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def histogram(x_ptr, y_ptr, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    counts = tl.histogram(x, BINS)
    tl.atomic_add(y_ptr + tl.arange(0, BINS), counts)
