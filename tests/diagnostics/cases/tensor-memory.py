# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Triton gives the first two products to tensor memory; the third has too few rows for it.
import triton
import triton.language as tl


#| set target cuda:100
#| set signature a=*fp16:16,b=*fp16:16,c=*fp32:16
@triton.jit
def k(a, b, c):
    i = tl.arange(0, 64)
    j = tl.arange(0, 32)
    x = tl.load(a + i[:, None] * 32 + j[None, :])
    y = tl.load(b + j[:, None] * 64 + i[None, :])
    z = tl.dot(x, y)
#|      ^^^^^^^^^^^^ unsupported-feature: `tl.dot` is compiled to `mma.sync`: Triton uses `tcgen05` on `cuda:100`
#|   note: the same for 1 more product
    z = tl.dot(x, y, z)
    tl.store(c + i[:, None] * 64 + i[None, :], z)
    small = tl.dot(tl.load(a + j[:, None] * 32 + j[None, :]), tl.load(b + j[:, None] * 32 + j[None, :]))
    tl.store(c + j[:, None] * 32 + j[None, :], small)
