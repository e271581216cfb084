# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A number of elements given as a mask, with the address in a variable.
import triton
import triton.language as tl


@triton.jit
def square(x, y, size, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = x + i
    v = tl.load(p, mask=size)
#|                      ^^^^ type-mismatch: `size` is a number: a mask says for each element whether it counts: `mask=i < size`
#|   fix: write `i < size` | i < size
    tl.store(y + i, v * v, mask=i < size)
