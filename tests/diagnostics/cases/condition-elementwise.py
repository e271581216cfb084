# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Branches that are meant for each element, and what chooses element by element.
import triton
import triton.language as tl


#| set constexpr B=64
@triton.jit
def k(x_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < n
    if mask:
#|     ^^^^ ambiguous-condition: this condition is 64 answers at once, one for each element of int1[64]
#|   note: a branch takes one answer
#|   fix: mask loads and stores instead, `mask=mask` | x = tl.load(x_ptr + i, mask=mask)
        x = tl.load(x_ptr + i)
        y = x * 2
        tl.store(out_ptr + i, y)
    v = tl.load(x_ptr + i, mask=mask)
    if v > 0:
#|     ^^^^^ ambiguous-condition: answers at once
#|   fix: write `w = tl.where(v > 0, v, 0)` | w = tl.where(v > 0, v, 0)
        w = v
    else:
        w = 0
    if v < 0:
#|     ^^^^^ ambiguous-condition: answers at once
#|   fix: write `v = tl.where(v < 0, -v, v)` | v = tl.where(v < 0, -v, v)
        v = -v
    t = i + 1
    if t = 2:
#|       ^ syntax-expected-token: `=` assigns
#|   fix: write `==` | ==
#|     ^^^^^ ambiguous-condition: answers at once
#|   note: a branch takes one answer: `tl.where(t == 2, a, b)`
#|   fix: write `t = tl.where(t == 2, 1, t)` | t = tl.where(t == 2, 1, t)
        t = 1
    u = v if mask else 0.0
#|           ^^^^ ambiguous-condition: answers at once
#|   fix: write `tl.where(mask, v, 0.0)` | tl.where(mask, v, 0.0)
    tl.store(out_ptr + i, i, mask=mask)
