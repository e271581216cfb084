# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Of integers without a sign, 0 is the least, and the number of ones alone the largest.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [sizes]
# w = 20
# [args]
# x8 = { dtype = "u8", shape = [4, "w"], init = "randint", low = 150, high = 250 }
# x16 = { dtype = "u16", shape = [4, "w"], init = "randint", low = 100, high = 250 }
# x32 = { dtype = "u32", shape = [4, "w"], init = "randint", low = 100, high = 250 }
# low = { dtype = "i32", shape = [4, 2] }
# high = { dtype = "i32", shape = [4] }
# wide = { dtype = "u32", shape = [4] }
# ///


@triton.jit
def k(x8, x16, x32, low, high, wide, w):
    c = tl.arange(0, 32)
    r = tl.program_id(0)
    right = tl.load(x8 + r * w + c, mask=c < w, other=255).to(tl.int32)
    tl.store(low + r * 2, tl.min(right, axis=0))
    most = tl.load(x16 + r * w + c, mask=c < w, other=0).to(tl.int32)
    tl.store(high + r, tl.max(most, axis=0))
    wrong = tl.load(x8 + r * w + c, mask=c < w, other=0).to(tl.int32)
#|                                                    ^ run-other-counted: `other=0` takes part in a reduction: `other=255` leaves it as it is
#|   fix: write `other=255` | 255
    tl.store(low + r * 2 + 1, tl.min(wrong, axis=0))
    least = tl.load(x32 + r * w + c, mask=c < w, other=0)
#|                                                     ^ run-other-counted: `other=0` takes part in a reduction: `other=4294967295` leaves it as it is
#|   fix: write `other=4294967295` | 4294967295
    tl.store(wide + r, tl.min(least, axis=0))
