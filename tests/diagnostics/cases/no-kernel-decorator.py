# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


def cdiv(a, b):
    return (a + b - 1) // b


def f(x_ptr, BLOCK: tl.constexpr):
#|  ^ no-kernel: `f` is a plain Python function: a kernel is decorated with `@triton.jit`
#|   fix: add `@triton.jit`
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, i)
