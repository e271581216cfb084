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
