# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Several names take the elements that lie side by side.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, y_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    w = tl.load(y_ptr + i, mask=i < n, other=0.0)
    r, g, b = x_ptr[i]
#|            ^^^^^^^^ bad-argument: 3 names take as many loads, `tl.load(x_ptr + 3 * i, mask=i < n), tl.load(x_ptr + 3 * i + 1, mask=i < n), tl.load(x_ptr + 3 * i + 2, mask=i < n)`
#|   note: that is right where `x_ptr` has 3 elements side by side for each `i`
#|   fix: tl.load(x_ptr + 3 * i, mask=i < n), tl.load(x_ptr + 3 * i + 1, mask=i < n), tl.load(x_ptr + 3 * i + 2, mask=i < n)
    out_ptr = x_ptr + y_ptr
#|            ^^^^^^^^^^^^^ type-mismatch: cannot add pointers together: `tl.load` reads what they point to, `tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) + tl.load(y_ptr + i, mask=i < n), mask=i < n)`
#|   fix: tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) + tl.load(y_ptr + i, mask=i < n), mask=i < n)
