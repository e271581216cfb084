# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mask that has no value yet is no parameter: it would be one truth value for all elements.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, y_ptr, n):
    offs = tl.program_id(0) * 64 + tl.arange(0, 64)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(y_ptr + offs, x, mask)
#|                            ^^^^ undefined-name: `mask` is not defined
#|   fix: write `offs < n` | offs < n
