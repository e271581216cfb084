# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A conversion of a long sum.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x_ptr + i)
    tl.store(out + i, (0.299 * v + 0.587 * v + 0.114 * v).astype(tl.uint8))
#|                                                        ^^^^^^ unknown-attribute: has no attribute `astype`
#|   note: kernels write `(0.299 * v + 0.587 * v + 0.114 * v).to(tl.uint8)`
#|   fix: | (0.299 * v + 0.587 * v + 0.114 * v).to(tl.uint8)
