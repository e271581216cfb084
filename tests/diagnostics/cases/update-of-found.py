# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An index that is computed from what was loaded may come twice.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, y_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    w = tl.load(y_ptr + i, mask=i < n, other=0.0)
    out_ptr[y_ptr[i]] += x_ptr[i]
#|  ^^^^^^^^^^^^^^^^^ unsupported-syntax: update its elements with `tl.atomic_add(out_ptr + y_ptr[i], x_ptr[i])`
#|   note: only one of their updates is left
#|   fix: tl.atomic_add(out_ptr + y_ptr[i], x_ptr[i])
