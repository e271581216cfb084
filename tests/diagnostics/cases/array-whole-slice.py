# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A slice of a whole array, to which each program writes its own block.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    out_ptr[:n] = v * 2
#|  ^^^^^^^^^^^ unsupported-syntax: store its elements with `tl.store(out_ptr + i, v * 2, mask=i < n)`
#|   fix: | tl.store(out_ptr + i, v * 2, mask=i < n)
    out_ptr[:] = v * 2
#|  ^^^^^^^^^^ unsupported-syntax: store its elements with `tl.store(out_ptr + i, v * 2, mask=i < n)`
#|   fix: | tl.store(out_ptr + i, v * 2, mask=i < n)
    # What a slice counts itself is meant.
    out_ptr[:BLOCK] = v
#|  ^^^^^^^^^^^^^^^ unsupported-syntax: `tl.store(out_ptr + tl.arange(0, BLOCK), v)`
#|   note: pass `mask=`
#|   fix: | tl.store(out_ptr + tl.arange(0, BLOCK), v)
