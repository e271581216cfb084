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
    tl.store(p, x)
