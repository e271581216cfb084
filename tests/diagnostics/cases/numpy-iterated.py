# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A loop through the elements of a block.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "sum(x_ptr)" }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    s = 0.0
    for v in x:
#|           ^ unsupported-syntax: a loop cannot go through the elements of a block
#|   note: a block needs no loop: `s += tl.sum(x, axis=0)`
#|   fix: write `s += tl.sum(x, axis=0)` instead of the loop | s += tl.sum(x, axis=0)
        s += v
    tl.store(out_ptr, s)
