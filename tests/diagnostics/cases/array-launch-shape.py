# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The launch block shows the shape of an array with three axes.
import triton
import triton.language as tl

# /// tilescope
# kernel = "gray"
# grid = ["h"]
# [sizes]
# h = 20
# w = 50
# m = 30
# [args]
# rgb = { dtype = "fp32", shape = ["h", "w", 3], init = "rand", seed = 0 }
# out = { dtype = "fp32", shape = ["h", "w"] }
# other = { dtype = "fp32", shape = ["h", "m", 3] }
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def gray(rgb, out, other, h, w, BLOCK: tl.constexpr):
    y = tl.program_id(0)
    x = tl.arange(0, BLOCK)
    red = rgb[y, x, 0]
#|        ^^^^^^^^^^^^ bad-argument: load its elements with `tl.load(rgb + (y * w + x) * 3)`
#|   note: the launch block makes `rgb` an array of shape [h, w, 3]
#|   note: pass `mask=`
#|   fix: | tl.load(rgb + (y * w + x) * 3)
    green = rgb[y, x + 1, 1]
#|          ^^^^^^^^^^^^^^^^ bad-argument: load its elements with `tl.load(rgb + (y * w + x + 1) * 3 + 1)`
#|   note: the launch block makes `rgb`
#|   fix: | tl.load(rgb + (y * w + x + 1) * 3 + 1)
    r, g, b = rgb[y, x]
#|            ^^^^^^^^^ bad-argument: load its elements with `tl.load(rgb + (y * w + x) * 3)`
#|   note: this index leaves out the last of its axes: that is the address of the first element there, which the others follow
    # `m` is unknown to the kernel.
    f = other[y, x, 0]
#|      ^^^^^^^^^^^^^^ bad-argument: `tl.load(other + y * stride_other0 + x * stride_other1 + 0)`
#|   note: `stride_other0` and `stride_other1` are the numbers of elements from one place to the next along these axes of the array: pass them as arguments
    out[y, x] = r
#|  ^^^^^^^^^ unsupported-syntax: store its elements with `tl.store(out + y * w + x, r)`
#|   note: the launch block makes `out` an array of shape [h, w]
#|   note: pass `mask=`
#|   fix: | tl.store(out + y * w + x, r)
