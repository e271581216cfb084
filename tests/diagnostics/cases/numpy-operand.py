# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a fix writes stands beside other operators, and a method belongs to all in front of its dot.
import numpy as np
import triton
import triton.language as tl


@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    a = v / np.square(v)
#|          ^^^^^^^^^^^^ import-not-found: `numpy.square` cannot be used in a kernel
#|   note: kernels write `v * v`
#|   fix: write `(v * v)` | (v * v)
    b = (v * 2).clip(0, 1)
#|              ^^^^ unknown-attribute: has no attribute `clip`
#|   note: kernels write `tl.clamp(v * 2, 0, 1)`
#|   fix: write `tl.clamp(v * 2, 0, 1)` | tl.clamp(v * 2, 0, 1)
    tl.store(out + i, v)
