# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A name whose first value is computed from itself, without any branch.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.where(v < 0, 0.0, 1.0)
#|               ^ undefined-name: `v` is used before it has a value: this line computes its first value from it
#|   note: give `v` a value above, such as that of a `tl.load`
    tl.store(out_ptr + i, v, mask=i < n)
