# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An argument whose shape is asked for is an array, of which a kernel has the address.
import triton
import triton.language as tl


@triton.jit
def rowsum(a, res):
    s = 0.0
    for i in range(a.shape[0]):
#|                 ^^^^^^^ constant-evaluation: `a` is a pointer and has no shape
#|   note: pass the extents of the array as arguments, such as `n` of a vector, `n_rows` and `n_cols` of a matrix
        s += tl.load(a + i)
    tl.store(res, s)
