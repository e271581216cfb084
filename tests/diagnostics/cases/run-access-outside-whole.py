# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Masks of a matrix that lack an axis, have its ends exchanged, or join them by the wrong sign.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# grid = ["cdiv(h, B)", "cdiv(w, B)"]
# [sizes]
# h = 100
# w = 150
# [args]
# x = { dtype = "fp32", shape = ["h", "w"], init = "randn" }
# out = { dtype = "fp32", shape = ["h", "w"] }
# h = "h"
# w = "w"
# [constexprs]
# B = 32
# ///


@triton.jit
def add(x, out, h, w, B: tl.constexpr):
    y = tl.program_id(0) * B + tl.arange(0, B)
    z = tl.program_id(1) * B + tl.arange(0, B)
    a = tl.load(x + y[:, None] * w + z[None, :], mask=z[None, :] < w, other=0.0)
#|      ^~ run-access-outside: its `mask` does not bound `y`, as line 29 does by `y[:, None] < w`
#|   fix: write `(y[:, None] < h) & (z[None, :] < w)` | (y[:, None] < h) & (z[None, :] < w)
    b = tl.load(x + y[:, None] * w + z[None, :], mask=(y[:, None] < w) & (z[None, :] < h), other=0.0)
#|      ^~ run-access-outside: its `mask` must be `(y[:, None] < h) & (z[None, :] < w)`
#|   fix: | (y[:, None] < h) & (z[None, :] < w)
    mask = (y[:, None] < h) | (z[None, :] < w)
    c = tl.load(x + y[:, None] * w + z[None, :], mask=mask, other=0.0)
#|      ^~ run-access-outside: its `mask` must be `(y[:, None] < h) & (z[None, :] < w)`
#|   fix: | (y[:, None] < h) & (z[None, :] < w)
    # `h - 0` means something: the mask stays.
    d = tl.load(x + (y + 1)[:, None] * w + z[None, :], mask=(y[:, None] < h - 0) & (z[None, :] < w), other=0.0)
#|      ^~ run-access-outside: its `mask` lets them through: the mask, the address, or the shape of `x` in the launch block is wrong
    # The address has lost an axis: which of the two is wrong, the text does not say.
    e = tl.load(x + y[None, :] * w + z[None, :], mask=(y[:, None] < h) & (z[None, :] < w), other=0.0)
#|      ^~ run-access-outside: its address has `y` and `z` along one axis, and its mask `y` along the other: `y[:, None]` in the address?
    tl.store(out + y[:, None] * w + z[None, :], a + b + c + d + e, mask=(y[:, None] < h) & (z[None, :] < w))
