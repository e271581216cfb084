# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A line that lost its indentation stands out, not the ones below it.
import triton
import triton.language as tl


@triton.jit
def k(p, B: tl.constexpr):
    i = tl.arange(0, B)
x = tl.load(p + i)
    y = x + 1
#| @1-5 syntax-indentation: unexpected indent
#|   fix: indent line 12 |     x = tl.load(p + i)
#|   fix: unindent lines 13 to 14
    tl.store(p + i, y)


@triton.jit
def in_loop(p, n, B: tl.constexpr):
    acc = tl.zeros([B], tl.float32)
    for start in range(0, n, B):
        i = start + tl.arange(0, B)
        x = tl.load(p + i,
                    mask=i < n)

    # What was read is added up.
    acc += x
        acc *= 2
#| @1-9 syntax-indentation: unexpected indent
#|   fix: indent line 26 |         acc += x
#|   fix: unindent lines 27 to 28
        acc -= 1
    tl.store(p + tl.arange(0, B), acc)


@triton.jit
def several(p, B: tl.constexpr):
    for start in range(4):
        i = start * B + tl.arange(0, B)
    x = tl.load(p + i)
    y = x + 1
        tl.store(p + i, y)
#| @1-9 syntax-indentation: unexpected indent
#|   fix: indent as the line above
#|   fix: indent lines 36 to 37
