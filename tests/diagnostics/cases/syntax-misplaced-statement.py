# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


if True:
    return 1
#|  ^^^^^^ syntax-misplaced-statement: `return` outside a function


@triton.jit
def k(p):
    tl.store(p, 1.0)
