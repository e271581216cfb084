# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A result is given to the name of an array, as NumPy takes it: nothing comes to memory.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,sum_ptr=*fp32,last_ptr=*fp32,y=*fp32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, out_ptr, sum_ptr, last_ptr, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    # Its array's name for what is loaded there: right.
    y = tl.load(y + i, mask=i < n)
    out_ptr = x * 2
#|  ^^^^^^^^^^^^^^^ unused-result: this gives the name `out_ptr` another value and writes nothing to memory: `tl.store(out_ptr + i, x * 2, mask=i < n)`
#|   fix: write `tl.store(out_ptr + i, x * 2, mask=i < n)`
    sum_ptr = tl.sum(x + y)
#|  ^^^^^^^^^^^^^^^^^^^^^^^ unused-result: `tl.store(sum_ptr, tl.sum(x + y))`
#|   fix: write `tl.store(sum_ptr, tl.sum(x + y))`
    last_ptr = last_ptr + n
