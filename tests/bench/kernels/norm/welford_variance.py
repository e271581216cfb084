# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Mean and variance of fp32 rows with Welford's update, combined over lanes by a reduction of three values."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "welford_variance"
# grid = ["n_rows"]
# [sizes]
# n_rows = 8192
# n_cols = 16384
# [args]
# x_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# mean_ptr = { dtype = "fp32", shape = ["n_rows"] }
# variance_ptr = { dtype = "fp32", shape = ["n_rows"] }
# [constexprs]
# BLOCK = 2048
# [options]
# num_warps = 8
# [work]
# bytes = "4 * n_rows * n_cols"
# ///


@triton.jit
def combine(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    delta = mean_b - mean_a
    count = count_a + count_b
    share = tl.where(count == 0.0, 0.0, count_b / count)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * count_a * share, count


@triton.jit
def welford_variance(x_ptr, mean_ptr, variance_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    mean = tl.zeros([BLOCK], dtype=tl.float32)
    m2 = tl.zeros([BLOCK], dtype=tl.float32)
    count = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        inside = columns < n_cols
        x = tl.load(x_ptr + row * n_cols + columns, mask=inside, other=0.0)
        new_count = count + 1.0
        delta = x - mean
        new_mean = mean + delta / new_count
        m2 = tl.where(inside, m2 + delta * (x - new_mean), m2)
        mean = tl.where(inside, new_mean, mean)
        count = tl.where(inside, new_count, count)
    mean, m2, count = tl.reduce((mean, m2, count), 0, combine)
    tl.store(mean_ptr + row, mean)
    tl.store(variance_ptr + row, m2 / count)
