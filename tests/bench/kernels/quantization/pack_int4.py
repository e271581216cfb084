# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Packs eight 4-bit numbers of neighboring columns into each word, as weight-only products want them."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "pack_int4"
# grid = ["cdiv(n_words, BLOCK)"]
# [sizes]
# n_words = 16777216
# [args]
# x_ptr = { dtype = "i32", shape = ["n_words", 8], init = "randint", seed = 0, high = 16 }
# out_ptr = { dtype = "i32", shape = ["n_words"] }
# [constexprs]
# BLOCK = 512
# [options]
# num_warps = 4
# [work]
# bytes = "36 * n_words"
# ///


@triton.jit
def pack_int4(x_ptr, out_ptr, n_words, BLOCK: tl.constexpr):
    words = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = words < n_words
    nibble = tl.arange(0, 8)
    x = tl.load(x_ptr + words[:, None] * 8 + nibble[None, :], mask=mask[:, None], other=0)
    packed = tl.sum((x & 15) << (nibble * 4)[None, :], axis=1)
    tl.store(out_ptr + words, packed, mask=mask)
