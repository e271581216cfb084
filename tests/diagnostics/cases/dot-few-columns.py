#| set signature x_ptr=*fp32,w_ptr=*fp64,y_ptr=*fp32
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Factors with fewer columns than released versions of Triton take.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, w_ptr, y_ptr):
    i = tl.arange(0, 16)
    j = tl.arange(0, 8)
    a = tl.load(x_ptr + i[:, None] * 8 + j[None, :])
    b = tl.load(x_ptr + j[:, None] * 16 + i[None, :])
    few = tl.dot(a, b)
#|        ^^^^^^^^^^^^ bad-shape: Triton up to 3.6 does not compile this: K must be at least 16 there, and is 8
    wide = tl.dot(tl.load(w_ptr + i[:, None] * 8 + j[None, :]), tl.load(w_ptr + j[:, None] * 16 + i[None, :]))
#|         ^~ bad-shape: Triton up to 3.6 does not compile this: K must be at least 16 there, and is 8
    # Few rows and columns of the product are right.
    enough = tl.dot(b, tl.trans(b))
    tl.store(y_ptr + i[:, None] * 16 + i[None, :], few + wide.to(tl.float32))
    tl.store(y_ptr + j[:, None] * 8 + j[None, :], enough)
