# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A program for each element, of which each takes a block.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "add"
# grid = ["n"]
#|        ^^^ run-launch-unfit: 996 of the 1000 programs access nothing: their masks leave out every element
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def add(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) + 1.0, mask=i < n)
