# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
def add(a, b, c):
#|  ^^^ no-kernel: `add` is a plain Python function: a kernel is decorated with `@triton.jit`
#|   fix: add `@triton.jit` and what it is imported from | import triton
    c = a + b
    return c
