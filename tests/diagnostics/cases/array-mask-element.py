# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mask that is an element of an array itself is no mask for the load of that element.
import triton
import triton.language as tl


@triton.jit
def k(x, m, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=m[i])
#|                          ^^^^ bad-argument: `m` is a pointer and cannot be indexed: load its elements with `tl.load(m + i)`
#|   fix: write `tl.load(m + i)` | tl.load(m + i)
    tl.store(out + i, v)
