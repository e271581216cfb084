# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = f(a b)
#|      ^ syntax-expected-token: expected `,` or `)` after the argument, found `b`
#|   fix: add the missing comma | ,


@triton.jit
def k(p):
    tl.store(p, 1.0)
