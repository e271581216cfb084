# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Remainders of numbers that begin below zero, in addresses and in what is stored.
import triton
import triton.language as tl


#| set kernel k
#| set signature x_ptr=*fp32,y_ptr=*fp32,q_ptr=*i32,n=i32,m=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, y_ptr, q_ptr, n, m, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    left = tl.load(x_ptr + (i - 1) % n, mask=i < n)
#|                         ^^^^^^^^^^^ bad-argument: `(i - 1) % n` begins below zero, and `%` in a kernel keeps the sign of what is divided, unlike Python's: the address is in front of the array
#|   fix: write `(i - 1 + n) % n` | (i - 1 + n) % n
    j = i - 3
    at = j % (n - m)
#|       ^^^^^^^^^^^ bad-argument: `j % (n - m)` begins below zero
#|   fix: write `(j % (n - m) + (n - m)) % (n - m)` | (j % (n - m) + (n - m)) % (n - m)
    third = tl.load(x_ptr + tl.program_id(1) * n + at)
    # Masks that leave them out, remainders that are made positive, and numbers that begin elsewhere.
    a = tl.load(x_ptr + (i - 1) % n, mask=(i > 0) & (i < n), other=0.0)
    b = tl.load(x_ptr + ((i - 1) % n + n) % n, mask=i < n)
    c = tl.load(x_ptr + tl.where(i < 1, 0, (i - 1) % n), mask=i < n)
    d = tl.load(x_ptr + (i - 1) % n + n, mask=i < n)
    e = tl.load(x_ptr + (i + n - 1) % n, mask=i < n)
    f = tl.load(x_ptr + i + (m - 1) % n, mask=i < n)
    if m > 1:
        f += tl.load(x_ptr + (i - 2) % n)
    g = tl.load(x_ptr + (i - 1) // 2, mask=i < n)
    tl.store(y_ptr + i, left + third + a + b + c + d + e + f + g, mask=i < n)
    tl.store(q_ptr + i, (i - 5) // 7 * 10 + (i - 5) % 7, mask=i < n)
#|                      ^^^^^^^^^^^^ bad-argument: `(i - 5) // 7` begins below zero, and `//` in a kernel rounds toward zero, where Python's rounds down
#|                                          ^^^^^^^^^^^ bad-argument: `(i - 5) % 7` begins below zero, and `%` in a kernel keeps the sign
#|   fix: write `(i - 5 + 7) % 7` | (i - 5 + 7) % 7
