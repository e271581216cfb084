# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Lines that were meant to be in the kernel above.
import triton
import triton.language as tl

LIMIT = 4


@triton.jit
def k(x_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
y = x * 2
#| @1-10 undefined-name: this line is not in `k`, where `x` is defined: it is not indented
#|   fix: indent the line: it belongs to `k`
tl.store(x_ptr + i, y)
#| @1-23 undefined-name: this line is not in `k`, where `x_ptr` is defined
#|   fix: indent the line: it belongs to `k`


@triton.jit
def last(x_ptr):
    n = LIMIT
    tl.store(x_ptr, 1)


size = LIMIT * 2
n = 3
print(n)
