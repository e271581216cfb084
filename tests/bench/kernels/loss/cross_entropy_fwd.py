# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Cross entropy of bf16 logits with label smoothing: loss and log-sum-exp of each row, online over blocks."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "cross_entropy_fwd"
# grid = ["n_rows"]
# [sizes]
# n_rows = 8192
# vocabulary = 32000
# [args]
# logits_ptr = { dtype = "bf16", shape = ["n_rows", "vocabulary"], init = "randn", seed = 0 }
# label_ptr = { dtype = "i64", shape = ["n_rows"], init = "randint", seed = 1, high = "vocabulary" }
# loss_ptr = { dtype = "fp32", shape = ["n_rows"] }
# lse_ptr = { dtype = "fp32", shape = ["n_rows"] }
# smoothing = 0.1
# [constexprs]
# BLOCK = 4096
# [options]
# num_warps = 8
# [work]
# bytes = "2 * n_rows * vocabulary"
# ///


@triton.jit
def cross_entropy_fwd(
    logits_ptr, label_ptr, loss_ptr, lse_ptr, vocabulary, smoothing, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    logits_ptr += row.to(tl.int64) * vocabulary
    label = tl.load(label_ptr + row)
    peak = -float("inf")
    total = 0.0
    plain = 0.0
    for start in range(0, vocabulary, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < vocabulary
        x = tl.load(logits_ptr + columns, mask=mask, other=-float("inf")).to(tl.float32)
        new_peak = tl.maximum(peak, tl.max(x))
        total = total * tl.exp(peak - new_peak) + tl.sum(tl.exp(x - new_peak))
        plain += tl.sum(tl.where(mask, x, 0.0))
        peak = new_peak
    lse = peak + tl.log(total)
    picked = tl.load(logits_ptr + label).to(tl.float32)
    loss = lse - (1.0 - smoothing) * picked - smoothing / vocabulary * plain
    tl.store(loss_ptr + row, loss)
    tl.store(lse_ptr + row, lse)
