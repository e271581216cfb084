# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Nucleus sampling: the probability at which the mass of larger ones reaches p, by bisection over a row in registers."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "top_p_threshold"
# grid = ["n_rows"]
# [sizes]
# n_rows = 16384
# n_cols = 8192
# [args]
# x_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0, scale = 3.0 }
# threshold_ptr = { dtype = "fp32", shape = ["n_rows"] }
# mass_ptr = { dtype = "fp32", shape = ["n_rows"] }
# p = 0.9
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# STEPS = 20
# [options]
# num_warps = 8
# [work]
# bytes = "2 * n_rows * n_cols"
# ///


@triton.jit
def top_p_threshold(x_ptr, threshold_ptr, mass_ptr, n_cols, p, BLOCK: tl.constexpr, STEPS: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    need = p * tl.sum(e, axis=0)
    low = 0.0
    high = 1.0
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        mass = tl.sum(tl.where(e >= middle, e, 0.0), axis=0)
        low = tl.where(mass >= need, middle, low)
        high = tl.where(mass >= need, high, middle)
    tl.store(threshold_ptr + row, low)
    tl.store(mass_ptr + row, tl.sum(tl.where(e >= low, e, 0.0), axis=0))
