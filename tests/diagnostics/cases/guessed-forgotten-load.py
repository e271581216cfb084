# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Arrays whose elements were not loaded.
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, x + y, mask=i < n)
#|                    ^^^^^ bad-argument: `x` and `y` are taken for numbers; the elements of an array are `tl.load(x + i, mask=i < n)`
#|   fix: write `tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n)`
