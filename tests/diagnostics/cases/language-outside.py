#| set signature x_ptr=*fp32
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl

X = tl.constexpr(tl.full([16], 1.0, tl.float32))


@triton.jit
def k(x_ptr):
    tl.store(x_ptr + tl.arange(0, 16), X)
#|                                     ^ global-not-constexpr: outside of `@triton.jit` functions
