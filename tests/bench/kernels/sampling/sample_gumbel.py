# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Sampling of a token by the largest of temperature-scaled logits plus Gumbel noise from Philox numbers."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "sample_gumbel"
# grid = ["rows"]
# [sizes]
# rows = 4096
# vocabulary = 32000
# [args]
# logits_ptr = { dtype = "bf16", shape = ["rows", "vocabulary"], init = "randn", seed = 0, scale = 3.0 }
# token_ptr = { dtype = "i32", shape = ["rows"] }
# best_ptr = { dtype = "fp32", shape = ["rows"] }
# temperature = 0.7
# seed = 77
# [constexprs]
# BLOCK = 1024
# [options]
# num_warps = 4
# [work]
# bytes = "2 * rows * vocabulary"
# ///


@triton.jit
def sample_gumbel(
    logits_ptr, token_ptr, best_ptr, vocabulary, temperature, seed, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    best = tl.full([BLOCK], -float("inf"), dtype=tl.float32)
    token = tl.zeros([BLOCK], dtype=tl.int32)
    for start in range(0, vocabulary, BLOCK):
        mask = start + columns < vocabulary
        x = tl.load(logits_ptr + row * vocabulary + start + columns, mask=mask, other=-float("inf"))
        uniform = tl.rand(seed, row * vocabulary + start + columns)
        noise = -tl.log(-tl.log(uniform * 0.999998 + 1e-6))
        score = tl.where(mask, x.to(tl.float32) / temperature + noise, -float("inf"))
        token = tl.where(score > best, start + columns, token)
        best = tl.maximum(score, best)
    where = tl.argmax(best, axis=0)
    tl.store(best_ptr + row, tl.max(best, axis=0))
    tl.store(token_ptr + row, tl.sum(tl.where(columns == where, token, 0), axis=0))
