# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Indices without a name, of which all are reduced: the loop's counter is another number.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,n=i32,w=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, out_ptr, n, w, BLOCK: tl.constexpr):
    for i in range(n - w):
        tl.store(out_ptr + i, tl.sum(tl.load(x_ptr + i + tl.arange(0, w))) / w)
#|                                                                    ^ not-constexpr: the number of indices must be a `tl.constexpr`, and `w` (int32) is known at run time: `tl.arange(0, BLOCK)`
#|   note: a name for the indices lets a mask keep them within the array: `j = tl.arange(0, BLOCK)`, and `mask=j < w` of the load or store there
#|   note: what is reduced leaves the others out by `other=0.0` of the load for a sum, and a mean divides that sum by `w`
#|   note: `w` is an argument at run time: declare the parameter as `w: tl.constexpr`
#|   fix: make `w` a constexpr
    cols = tl.arange(0, n)
#|                      ^ not-constexpr: `tl.arange(0, BLOCK)`
#|   note: a mask keeps the indices within the array: `mask=cols < n` of a load or store at `cols`
#|   fix: | BLOCK
    tl.store(out_ptr + cols, tl.load(x_ptr + cols))
