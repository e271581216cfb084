# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What the mask of a load leaves out is not counted.
import triton
import triton.language as tl


#| set signature x_ptr=*i32,h_ptr=*i32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def histogram(x_ptr, h_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n, other=0)
    h_ptr[v] += 1
#|  ^^^^^^^^ unsupported-syntax: update its elements with `tl.atomic_add(h_ptr + v, 1, mask=i < n)`
#|   note: after a load and a store only one of their updates is left
#|   fix: write `tl.atomic_add(h_ptr + v, 1, mask=i < n)`
