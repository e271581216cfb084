# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 64})], key=["n"])
def add(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
#|  ^^^ no-kernel: `add` is a plain Python function: a kernel is decorated with `@triton.jit`
#|   fix: add `@triton.jit`
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i))
