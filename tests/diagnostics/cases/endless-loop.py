# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Nothing in a loop changes what its condition depends on.
import triton
import triton.language as tl


#| set constexpr B=64
@triton.jit
def k(flag_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    at = 0
    while at < n:
#|        ^^^^^^ endless-loop: this loop does not end once it has begun: nothing in its body changes `at` or `n`
        tl.store(y_ptr + at + i, 1.0, mask=at + i < n)
    # These end: by what is counted, or by what memory holds.
    j = 0
    while j < n:
        tl.store(y_ptr + j, 2.0)
        j += 1
    while tl.atomic_add(flag_ptr, 0) == 0:
        pass
