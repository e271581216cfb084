# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A tab looks as wide as blanks, and is none.
import triton
import triton.language as tl


@triton.jit
def k(p):
	i = tl.arange(0, 64)
        x = tl.load(p + i)
#| @1-9 syntax-indentation: inconsistent use of tabs and spaces in indentation
#|   fix: turn tabs of indentation into spaces | def k(p):
    tl.store(p + i, x)
#| @1-5 syntax-indentation: unindent does not match any outer indentation level
#|   fix: turn tabs of indentation into spaces | def k(p):


def f(p):
    if p:
        x = 1
        else:
#|      ^^^^ syntax-misplaced-statement: `else` without a matching `if`
#|   fix: unindent to the `if` in line
            x = 2
    return x
