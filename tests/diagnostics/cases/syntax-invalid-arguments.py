# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


f(a=1, 2)
#|     ^ syntax-invalid-arguments: positional argument follows keyword argument


@triton.jit
def k(p):
    tl.store(p, 1.0)
