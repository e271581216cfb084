# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = x if x > 0 else 0.0
#|           ^^^^^ ambiguous-condition: use `mask=` or `tl.where`
    tl.store(x_ptr + i, y, mask=i < n)
