# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


if True:
x = 1
#| @1 syntax-expected-block: expected an indented block after `if` on line 7
#|   fix: indent line 8 |     x = 1


@triton.jit
def k(p):
    tl.store(p, 1.0)
