# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Cross entropy backward: softmax minus the smoothed one-hot label, scaled by the loss's gradient."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "cross_entropy_bwd"
# grid = ["n_rows", "cdiv(vocabulary, BLOCK)"]
# [sizes]
# n_rows = 4096
# vocabulary = 32000
# [args]
# logits_ptr = { dtype = "bf16", shape = ["n_rows", "vocabulary"], init = "randn", seed = 0 }
# lse_ptr = { dtype = "fp32", shape = ["n_rows"], init = "rand", seed = 1, low = 10.0, high = 11.0 }
# label_ptr = { dtype = "i64", shape = ["n_rows"], init = "randint", seed = 2, high = "vocabulary" }
# dloss_ptr = { dtype = "fp32", shape = ["n_rows"], init = "randn", seed = 3 }
# dlogits_ptr = { dtype = "bf16", shape = ["n_rows", "vocabulary"] }
# smoothing = 0.1
# [constexprs]
# BLOCK = 4096
# [options]
# num_warps = 8
# [work]
# bytes = "4 * n_rows * vocabulary"
# ///


@triton.jit
def cross_entropy_bwd(
    logits_ptr, lse_ptr, label_ptr, dloss_ptr, dlogits_ptr, vocabulary, smoothing, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    base = row.to(tl.int64) * vocabulary
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = columns < vocabulary
    label = tl.load(label_ptr + row)
    lse = tl.load(lse_ptr + row)
    dloss = tl.load(dloss_ptr + row)
    x = tl.load(logits_ptr + base + columns, mask=mask, other=-float("inf")).to(tl.float32)
    gradient = tl.exp(x - lse) - smoothing / vocabulary
    gradient = tl.where(columns == label, gradient - (1.0 - smoothing), gradient)
    tl.store(dlogits_ptr + base + columns, (gradient * dloss).to(tl.bfloat16), mask=mask)
