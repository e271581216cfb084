# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The last item, and several of them, as NumPy has them.
import triton
import triton.language as tl


@triton.jit
def last(x, y, out):
    a = x[-1]
#|      ^^^^^ bad-argument: `x` is a pointer and cannot be indexed
    b = y[0:4]
#|      ^^^^^^ bad-argument: `y` is a pointer and cannot be indexed
    tl.store(out, a)
