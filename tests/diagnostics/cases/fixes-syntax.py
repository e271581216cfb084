# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def k(p, n):
    x = tl.load(p)
      y = x
#| @1-7 syntax-indentation: unexpected indent
#|   fix: indent as the line above
    if n > 3
#|          ^~ syntax-expected-token: expected `:` after `if`
#|   fix: add `:` | :
        x = x + 1
    if n > 3 && n < 5:
#|           ^^ syntax-expected-expression: Python has no `&&`: write `and`, or `&` between blocks
#|   fix: write `and` | and
        x = x + 1
    n++
#|   ^^ syntax-expected-expression: Python has no `++`: write `+= 1`
#|   fix: |  += 1
    if n = 3:
#|       ^ syntax-expected-token: `=` assigns
#|   fix: write `==` | ==
        x = x + 1
    elif tl.cdiv(n, div=2) > 1 and n = 4:
#|                                   ^ syntax-expected-token: `=` assigns
#|   fix: write `==` | ==
        x = x + 1
    while n = 5 and n > 3:
#|          ^ syntax-expected-token: `=` assigns
#|   fix: write `==` | ==
        n = n + 1
    x = tl.load(p))
#|                ^ syntax-unmatched-bracket: unmatched `)`
#|   fix: remove `)`
    tl.store(p, x)
