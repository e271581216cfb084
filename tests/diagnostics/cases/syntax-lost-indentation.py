# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The first two lines of the body are flush left: that is one mistake, and the others are right.
import triton
import triton.language as tl


@triton.jit
def k(p, B: tl.constexpr):
i = tl.arange(0, B)
#| @1-1 syntax-expected-block: expected an indented block after the header of a function on line 10
#|   fix: indent lines 11 to 12 |     i = tl.arange(0, B)
x = tl.load(p + i)
    y = x + 1
    tl.store(p + i, y)


def f(p):
if p:
#| @1-2 syntax-expected-block: expected an indented block after the header of a function
#|   fix: indent lines 18 to 20
    x = 1
tl.store(p, x)
