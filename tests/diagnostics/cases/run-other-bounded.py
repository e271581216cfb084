# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Behind a bound that `other` keeps to, it may take part in a maximum or minimum.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [sizes]
# w = 20
# [args]
# x = { dtype = "fp32", shape = [4, "w"], init = "randn" }
# low = { dtype = "fp32", shape = [4] }
# high = { dtype = "fp32", shape = [4, 2] }
# ///


@triton.jit
def k(x, low, high, w):
    c = tl.arange(0, 32)
    r = tl.program_id(0)
    v = tl.load(x + r * w + c, mask=c < w, other=0.0)
    tl.store(low + r, tl.minimum(tl.min(v), 0.0))
    tl.store(high + r * 2, tl.maximum(tl.max(v), 1e-6))
    u = tl.load(x + r * w + c, mask=c < w, other=0.0)
#|                                               ^^^ run-other-counted: `other=0.0` takes part in a reduction: `other=float("-inf")` leaves it as it is
#|   note: it makes a difference where all elements that are loaded are below `0.0`
#|   fix: write `other=float("-inf")` | float("-inf")
    tl.store(high + r * 2 + 1, tl.maximum(tl.max(u), -1.0))
