# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a mask leaves out of a maximum and of a minimum: no `other` suits both.
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
# out = { dtype = "fp32", shape = [4] }
# ///


@triton.jit
def k(x, out, w):
    c = tl.arange(0, 32)
    r = tl.program_id(0)
    v = tl.load(x + r * w + c, mask=c < w, other=0.0)
#|                                               ^^^ run-other-counted: `other=0.0` takes part in reductions that need different values, `float("-inf")` and `float("inf")`: mask what each of them takes with `tl.where`
    tl.store(out + r, tl.max(v, axis=0) - tl.min(v, axis=0))
