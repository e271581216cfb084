# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# One axis of the grid is read twice, and the other never.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "turn"
# grid = ["cdiv(h, 16)", "cdiv(w, 16)"]
#|                       ^^^^^^^^^^^^^ run-launch-unfit: the kernel does not read `tl.program_id(1)`
#|   from: this axis is read twice
#|   fix: read axis 1 in line 22 | 1
# [sizes]
# h = 40
# w = 40
# [args]
# x = { dtype = "fp32", shape = ["h", "w"], init = "randn" }
# y = { dtype = "fp32", shape = ["w", "h"] }
# ///
@triton.jit
def turn(x, y, h, w):
    i = (tl.program_id(0) * 16 + tl.arange(0, 16))[:, None]
    j = (tl.program_id(0) * 16 + tl.arange(0, 16))[None, :]
    m = (i < h) & (j < w)
    tl.store(y + j * h + i, tl.load(x + i * w + j, mask=m), mask=m)
