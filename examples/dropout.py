# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Dropout: zeroes each element with probability p and scales up the others.

The random numbers come from a counter-based generator: the number for element i is a function of the
seed and of i, whichever program computes it. So nothing is stored, and the same seed yields the same
mask again, as the backward pass needs it.
"""

import triton
import triton.language as tl

# /// tilescope
# kernel = "dropout"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 100000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"] }
# n       = "n"
# p       = 0.5
# seed    = 123
# [constexprs]
# BLOCK = "1024"
# [options]
# num_warps = 4
# [work]
# bytes = "8 * n"
# ///


@triton.jit
def dropout(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)

    # Uniform in [0, 1), one per element.
    random = tl.rand(seed, offsets)
    keep = random > p

    # Dividing by (1 - p) keeps the expected value of every element.
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)
