# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Kullback-Leibler divergence of each row: targets are probabilities, predictions log-probabilities."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "kl_divergence"
# grid = ["n_rows"]
# [sizes]
# n_rows = 4096
# n_cols = 32000
# [args]
# prediction_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# target_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "rand", seed = 1, low = 0.0001, high = 0.001 }
# loss_ptr = { dtype = "fp32", shape = ["n_rows"] }
# gradient_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK = 2048
# [options]
# num_warps = 8
# [work]
# bytes = "12 * n_rows * n_cols"
# ///


@triton.jit
def kl_divergence(prediction_ptr, target_ptr, loss_ptr, gradient_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    base = row.to(tl.int64) * n_cols
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < n_cols
        prediction = tl.load(prediction_ptr + base + columns, mask=mask, other=0.0)
        target = tl.load(target_ptr + base + columns, mask=mask, other=0.0)
        total += target * (tl.log(tl.maximum(target, 1e-10)) - prediction)
        tl.store(gradient_ptr + base + columns, -target, mask=mask)
    tl.store(loss_ptr + row, tl.sum(total, axis=0))
