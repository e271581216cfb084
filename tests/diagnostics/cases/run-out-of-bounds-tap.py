# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An index that loops alone make needs no mask where it goes too far: it is wrong itself.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "taps"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [66], init = "randn" }
# w_ptr = { dtype = "fp32", shape = [3], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [64], init = "empty" }
# [constexprs]
# KW = 3
# ///


@triton.jit
def taps(x_ptr, w_ptr, y_ptr, KW: tl.constexpr):
    i = tl.arange(0, 64)
    acc = tl.zeros([64], dtype=tl.float32)
    for j in tl.static_range(KW):
        acc += tl.load(x_ptr + i + j) * tl.load(w_ptr + KW - j)
#|                                      ^~ run-access-outside: the loop or the index `KW - j` goes 1 too far, which a mask would only hide
    tl.store(y_ptr + i, acc)
