# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A block that is not full is reversed: what the mask leaves out comes to the front.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "reverse"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [40], init = "arange" }
# out_ptr = { dtype = "fp32", shape = [40] }
# n = 40
# [constexprs]
# B = 64
# ///


@triton.jit
def reverse(x_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, tl.flip(x), mask=i < n)
#|  ^~ run-undefined: `out_ptr[0]` receives a value that a masked-off load left undefined; `tl.flip` moves what the load of `x` in line 24 leaves out to the front; reverse the addresses
#|   from: elements of `x` that its `mask` leaves out are undefined
