# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Cross entropy of rows of 4,096 fp32 logits, one for each program."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "cross_entropy"
# grid = ["n_rows"]
# [sizes]
# n_rows = 4096
# n_cols = 4096
# [args]
# logits_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# label_ptr = { dtype = "i64", shape = ["n_rows"], init = "randint", seed = 1, high = "n_cols" }
# loss_ptr = { dtype = "fp32", shape = ["n_rows"] }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [work]
# bytes = "4 * n_rows * n_cols"
# ///


@triton.jit
def cross_entropy(logits_ptr, label_ptr, loss_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    x = tl.load(logits_ptr + row * n_cols + columns, mask=columns < n_cols, other=-float("inf"))
    largest = tl.max(x, axis=0)
    total = tl.sum(tl.exp(x - largest), axis=0)
    picked = tl.load(logits_ptr + row * n_cols + tl.load(label_ptr + row))
    tl.store(loss_ptr + row, largest + tl.log(total) - picked)
