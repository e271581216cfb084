# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def relu(x):
#|  ^^^^ no-kernel: this file has no kernel: `relu` and `tile` return values, which only functions do that kernels call
#|   note: a kernel is decorated with `@triton.jit`, returns nothing
#|   note: open that file
    return tl.maximum(x, 0)


@triton.jit
def tile(ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    return tl.load(ptr + i, mask=i < n)
