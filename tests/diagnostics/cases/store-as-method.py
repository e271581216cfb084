# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A store as a method of the value.
import triton
import triton.language as tl


#| set signature x=*fp32,out=*fp32
@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    v.store(out + i)
#|  ^^^^^^^^^^^^^^^^ type-mismatch: `tl.store` takes the pointer first, and then the value, which `v` of type
#|   fix: write `tl.store(out + i, v)` | tl.store(out + i, v)
