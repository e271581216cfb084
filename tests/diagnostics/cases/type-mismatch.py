# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set constexpr B=16
#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)

    a = x & 1
#|      ^^^^^ type-mismatch: invalid operands of type
    b = x_ptr + y_ptr
#|      ^^^^^^^^^^^^^ type-mismatch: add pointers
    c = i // i.to(tl.uint32)
#|      ^^^^^^^^^^^^^^^^^^^^ type-mismatch: different signedness
    d = tl.load(n)
#|              ^ type-mismatch: unsupported ptr type
    tl.store(y_ptr + i, x, mask=i)
#|                              ^ type-mismatch: boolean scalar type
