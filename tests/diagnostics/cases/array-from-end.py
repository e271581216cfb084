# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An index all of whose terms are taken away counts from the end, as NumPy does.
import triton
import triton.language as tl


@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = x[-1 - i]
#|      ^^^^^^^^^ bad-argument: load its elements with `tl.load(x + n - 1 - i)`
#|   note: a kernel has no negative indices: the last of `n` elements is number `n - 1`
#|   note: pass `mask=`
#|   fix: write `tl.load(x + n - 1 - i)` | tl.load(x + n - 1 - i)
    tl.store(out + i, v)
