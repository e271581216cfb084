# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    s = tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n)
    return tl.exp(s)
#|  ^^^^^^^^^^^^^^^^ return-type: `add` returns a value, but a kernel returns nothing: store the result with `tl.store`
#|   note: only a function that a kernel calls
#|   fix: store it: `tl.store(out + i, tl.exp(s), mask=i < n)` | tl.store(out + i, tl.exp(s), mask=i < n)
