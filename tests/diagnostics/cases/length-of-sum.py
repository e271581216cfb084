# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The length of what an operator makes, which binds less than what follows a dot.
import triton
import triton.language as tl


@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(out + i, v * len(v + v))
#|                            ^^^^^ not-constexpr: `v + v` is a block, fp32[1024]: its length is `(v + v).shape[0]`
#|   fix: write `(v + v).shape[0]` | (v + v).shape[0]
