# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = 1
    y = 2
#| @1-5 syntax-indentation: unexpected indent


@triton.jit
def k(p):
    tl.store(p, 1.0)


def f(p):
    if p:
        x = 1
      y = 2
#| @1-7 syntax-indentation: unindent does not match any outer indentation level
#|   fix: indent by 8 columns
#|   fix: indent by 4 columns
    return x
