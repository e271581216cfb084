# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The size of an array, which a pointer does not know.
import triton
import triton.language as tl


@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < x.size)
#|                              ^^^^^^ constant-evaluation: `x` is a pointer and has no size
#|   note: a pointer does not know how many elements it points to
#|   fix: write `n` | n
    tl.store(out + i, v)
