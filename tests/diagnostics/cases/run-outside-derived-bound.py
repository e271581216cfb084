# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mask bounds an index by what is made of it.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2, 4]
# [sizes]
# H = 4
# W = 20
# [args]
# x = { dtype = "fp32", shape = [2, "H", "W"], init = "randn" }
# y = { dtype = "fp32", shape = [2, "H", "W"] }
# ///


@triton.jit
def k(x, y, H, W):
    b = tl.program_id(0)
    h = tl.program_id(1)
    w = tl.arange(0, 32)
    ww = w + 1
    v = tl.load(x + (b * W + h) * W + ww, mask=(ww < W), other=0.0)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-access-outside: past its last element [1, 3, 19]; `b` is multiplied by `W` here, and by `H` in line 28
    tl.store(y + (b * H + h) * W + w, v, mask=w < W)
