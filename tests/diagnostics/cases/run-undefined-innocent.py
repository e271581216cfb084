# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Of three loads with masks, only those are named whose masks leave out what is stored.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "gray"
# grid = [1]
# [args]
# rgb_ptr = { dtype = "fp32", shape = [66], init = "randn" }
# out_ptr = { dtype = "fp32", shape = [64] }
# ///


@triton.jit
def gray(rgb_ptr, out_ptr):
    x = tl.arange(0, 64)
    r = tl.load(rgb_ptr + x, mask=x < 50)
    g = tl.load(rgb_ptr + x + 1, mask=x + 1 < 50)
    b = tl.load(rgb_ptr + x + 2, mask=x + 2 < 50)
    tl.store(out_ptr + x, r + g + b, mask=x < 50)
#|  ^~ run-undefined: `out_ptr[48]` receives a value that a masked-off load left undefined; give the load of `g` in line 22 an `other`
#|   from: elements of `g` that its `mask` leaves out are undefined
#|   from: elements of `b` that its `mask` leaves out are undefined
