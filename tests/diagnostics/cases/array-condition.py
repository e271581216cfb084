# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A condition between the brackets of an array is a mask, not an address.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    out_ptr[i < n] = v * 2
#|  ^^^^^^^^^^^^^^^^^^^^^^ unsupported-syntax: `out_ptr` is a pointer and cannot be indexed by a condition: that is a mask, `tl.store(out_ptr + i, v * 2, mask=i < n)`
#|   fix: | tl.store(out_ptr + i, v * 2, mask=i < n)
    out_ptr[v > 0] = 1
#|  ^^^^^^^^^^^^^^^^^^ unsupported-syntax: that is a mask, `tl.store(out_ptr + i, 1, mask=v > 0)`
    w = x_ptr[i < n]
#|      ^^^^^^^^^^^^ unsupported-syntax: that is a mask, `tl.load(x_ptr + i, mask=i < n)`
