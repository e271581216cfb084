# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a load leaves out is counted in bin 0 of a histogram, whatever type its elements had.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 100
# [args]
# x = { dtype = "u8", shape = ["n"], init = "randint", low = 0, high = 16 }
# out = { dtype = "i32", shape = [16] }
# ///


@triton.jit
def k(x, out, n):
    i = tl.arange(0, 128)
    v = tl.load(x + i, mask=i < n, other=0).to(tl.int32)
    tl.store(out + tl.arange(0, 16), tl.histogram(v, 16))
#|                                   ^^^^^^^^^^^^^^^^^^^ run-other-counted: `tl.histogram` counts what the mask of the load leaves out as 0; give it that mask, too: `mask=i < n`
#|   fix: add `mask=i < n` | , mask=i < n
