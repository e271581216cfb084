# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What the elements that the mask leaves out add to a sum of squares is subtracted again.
import triton
import triton.language as tl


#| set do run
#| set nothing
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
    mean = tl.sum(v, axis=0) / w
    d = v - mean
    tl.store(out + r, (tl.sum(d * d, axis=0) - (32 - w) * mean * mean) / w)
