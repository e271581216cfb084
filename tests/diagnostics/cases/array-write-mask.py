# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Elements are written, and read, at the offsets of other accesses: with their mask.
import triton
import triton.language as tl


#| set constexpr BLOCK=64
#| set signature x=*fp32,y=*fp32,n=i32
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    w = y[i]
#|      ^^^^ bad-argument: load its elements with `tl.load(y + i, mask=i < n)`
#|   fix: write `tl.load(y + i, mask=i < n)` | tl.load(y + i, mask=i < n)
    x[i] = 2 * v
#|  ^^^^ unsupported-syntax: store its elements with `tl.store(x + i, 2 * v, mask=i < n)`
#|   fix: write `tl.store(x + i, 2 * v, mask=i < n)` | tl.store(x + i, 2 * v, mask=i < n)
