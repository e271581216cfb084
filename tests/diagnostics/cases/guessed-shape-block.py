# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A block's extent is no reason to take the array for a block of addresses.
import triton
import triton.language as tl


@triton.jit
def copy(x, out, BLOCK: tl.constexpr):
    n = x.shape[0]
#|      ^^^^^^^ constant-evaluation: `x` is a pointer and has no shape
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v, mask=i < n)
