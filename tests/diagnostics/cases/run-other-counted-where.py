# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A number that a choice puts in the place of what the mask leaves out.
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
    tl.store(out + r, tl.min(tl.where(c < w, v, 0.0), axis=0))
#|                                              ^^^ run-other-counted: `0.0` stands for what the mask leaves out, and takes part in a reduction: `float("inf")` leaves it as it is
#|   fix: | float("inf")
