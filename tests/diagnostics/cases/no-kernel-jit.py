# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@jit
#| @2-5 no-kernel: `@jit` does not exist: a kernel is decorated with `@triton.jit`
#|   fix: write `@triton.jit`
def f(x_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, i)
