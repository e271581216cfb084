# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A function of the language changes none of its arguments.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, y_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    w = tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.maximum(v, 0.0)
#|  ^^^^^^^^^^^^^^^^^^ unused-result: the result of `tl.maximum` is not used
#|   note: write `v = tl.maximum(v, 0.0)`
#|   fix: write `v = tl.maximum(v, 0.0)`
    tl.sum(w)
#|  ^^^^^^^^^ unused-result: the result of `tl.sum` is not used: the call changes none of its arguments
    tl.store(out_ptr + i, v + w, mask=i < n)
