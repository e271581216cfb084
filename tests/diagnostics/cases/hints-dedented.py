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
#| @1- undefined-name: these lines are not in `k`, where `x` is defined: they are not indented
#|   fix: indent lines 15 to 17: they belong to `k` |     y = x * 2
z = y + 1
tl.store(x_ptr + i, z)


@triton.jit
def last(x_ptr):
    n = LIMIT
    tl.store(x_ptr, 1)


size = LIMIT * 2
n = 3
print(n)


@triton.jit
def one(x_ptr):
    n = 4
tl.store(x_ptr, n + 1)
#| @1-23 undefined-name: this line is not in `one`, where `x_ptr` is defined: it is not indented
#|   fix: indent the line: it belongs to `one` |     tl.store(x_ptr, n + 1)
