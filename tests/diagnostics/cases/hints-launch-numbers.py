# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A launch block passes a number where an array is needed.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x = { dtype = "fp32", shape = [64] }
# out = 16
# ///


@triton.jit
def k(x, out):
    a = tl.load(x + tl.arange(0, 64))
    tl.store(out, tl.sum(a, axis=0))
#|           ^^^ type-mismatch: a pointer is needed
#|   note: the launch block passes a number for it, in line 14
#|   fix: make `out` an array of one element in the launch block | out = { dtype = "fp32", shape = [1] }
