# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The product of two vectors, and a launch block that passes a number where an array is needed.
import numpy as np
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
    s = tl.dot(a, a)
#|                ^ shape-mismatch: both inputs of `dot` must have the same rank of at least 2
#|   note: the product of two vectors is `tl.sum(a * a, axis=0)`
#|   fix: write `tl.sum(a * a, axis=0)`
    t = np.dot(a, a)
#|      ^^^^^^^^^^^^ import-not-found: `numpy.dot` cannot be used in a kernel
#|   fix: write `tl.sum(a * a, axis=0)`
    tl.store(out, tl.sum(a, axis=0))
#|           ^^^ type-mismatch: a pointer is needed
#|   note: the launch block passes a number for it, in line 15
#|   fix: make `out` an array of one element in the launch block | out = { dtype = "fp32", shape = [1] }
