# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)

    a = x + tl.arange(0, 32)
#|      ^^^^^^^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 0: 16 and 32
    b = tl.load(x_ptr, mask=m)
#|                          ^ shape-mismatch: `x_ptr` is the address of one element, and `m` is a block of 16: add the offsets to the pointer, `x_ptr + i`
    tl.store(y_ptr, x)
#|                  ^ shape-mismatch: `y_ptr` is the address of one element, and `x` is a block of 16: add the offsets to the pointer, `y_ptr + i`
