# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n, *rest):
#|               ^^^^ unsupported-syntax: a kernel cannot have an `*args` parameter
    tl.store(x_ptr + tl.arange(0, 16), 1.0)
