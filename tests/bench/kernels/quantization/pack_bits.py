# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Packs the signs of numbers into the bits of 32-bit words, by a reduction with bitwise or."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "pack_bits"
# grid = ["cdiv(n_words, BLOCK)"]
# [sizes]
# n_words = 4194304
# [args]
# x_ptr = { dtype = "fp16", shape = ["n_words", 32], init = "randn", seed = 0 }
# out_ptr = { dtype = "i32", shape = ["n_words"] }
# [constexprs]
# BLOCK = 128
# [options]
# num_warps = 4
# [work]
# bytes = "68 * n_words"
# ///


@triton.jit
def either(a, b):
    return a | b


@triton.jit
def pack_bits(x_ptr, out_ptr, n_words, BLOCK: tl.constexpr):
    words = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bit = tl.arange(0, 32)
    x = tl.load(x_ptr + words[:, None] * 32 + bit[None, :], mask=words[:, None] < n_words, other=0.0)
    bits = (x < 0).to(tl.int32) << bit[None, :]
    tl.store(out_ptr + words, tl.reduce(bits, 1, either), mask=words < n_words)
