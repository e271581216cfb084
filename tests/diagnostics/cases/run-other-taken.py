# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a mask leaves out of reductions whose results are computed with: only runs with other numbers show that it counts.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [sizes]
# w = 20
# [args]
# x = { dtype = "fp32", shape = [4, "w"], init = "rand" }
# a = { dtype = "fp32", shape = [4, "w"] }
# b = { dtype = "fp32", shape = [4, 2] }
# i = { dtype = "i32", shape = [4, 2] }
# c = { dtype = "fp32", shape = [4, "w"] }
# d = { dtype = "fp32", shape = [4, "w"] }
# e = { dtype = "fp32", shape = [4, "w"] }
# f = { dtype = "fp32", shape = [4, "w"] }
# ///


@triton.jit
def k(x, a, b, i, c, d, e, f, w):
    cols = tl.arange(0, 32)
    r = tl.program_id(0)
    m = cols < w
    # The least of a row with 0.0 behind it is 0.0.
    v = tl.load(x + r * w + cols, mask=cols < w, other=0.0)
#|                                                     ^^^ run-other-counted: `other=0.0` takes part in reductions that need different values, `float("-inf")` and `float("inf")`
    lo = tl.min(v, axis=0)
    hi = tl.max(v, axis=0)
    tl.store(a + r * w + cols, (v - lo) / (hi - lo), mask=m)
    # Exponentials of what is left out are summed.
    z = tl.load(x + r * w + cols, mask=m, other=0.0)
#|                                              ^^^ run-other-counted: `other=0.0` takes part in a reduction: `other=float("-inf")` leaves it as it is
#|   fix: | float("-inf")
    z = z - tl.max(z, 0)
    p = tl.exp(z)
    p = p / tl.sum(p, 0)
    for j in tl.static_range(2):
        tl.store(b + r * 2 + j, tl.max(p, 0))
        best = tl.argmax(p, 0)
        tl.store(i + r * 2 + j, best)
        p = tl.where(cols == best, -1.0, p)
    # Not counted: any number may be subtracted in front of the exponential.
    g = tl.load(x + r * w + cols, mask=m, other=0.0)
    g = tl.where(m, tl.exp(g - tl.max(g, axis=0)), 0.0)
    tl.store(c + r * w + cols, g / tl.sum(g, axis=0), mask=m)
    # 0 is no magnitude that another exceeds.
    h = tl.load(x + r * w + cols, mask=m, other=0.0)
    tl.store(d + r * w + cols, h / tl.max(tl.abs(h), axis=0), mask=m)
    # The usual softmax.
    s = tl.load(x + r * w + cols, mask=m, other=-float("inf"))
    s = tl.exp(s - tl.max(s, axis=0))
    tl.store(e + r * w + cols, s / tl.sum(s, axis=0), mask=m)
    # The other factor is 0 there.
    t = tl.load(x + r * w + cols, mask=m, other=1.0)
    tl.store(f + r * w + cols, t * tl.sum(t * s, axis=0), mask=m)
