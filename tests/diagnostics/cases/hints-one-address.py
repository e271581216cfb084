# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A block that is loaded from, or stored to, one address.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,z_ptr=*fp32,n=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, y_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = i + 1
    m = i < n
    x = tl.load(x_ptr, mask=m)
#|                          ^ shape-mismatch: `x_ptr` is the address of one element, and `m` is a block of 64: add the offsets to the pointer, `x_ptr + i`
#|   from: `m` of shape [64] is made here
#|   fix: write `x_ptr + i` | x_ptr + i
    y = tl.load(y_ptr, j)
#|                     ^ shape-mismatch: `y_ptr` is the address of one element, and `j` is a block of 64: add the offsets to the pointer, `y_ptr + j`
#|   from: `j` of shape [64] is made here
#|   fix: write `y_ptr + j` | y_ptr + j
    v = tl.load(x_ptr + i, mask=m)
    tl.store(z_ptr, v * 2, mask=m)
#|                  ^^^^^ shape-mismatch: `z_ptr` is the address of one element, and `v * 2` is a block of 64: add the offsets to the pointer, `z_ptr + i`
#|   from: `m` of shape [64] is made here
#|   fix: write `z_ptr + i` | z_ptr + i
    tl.store(z_ptr, v)
#|                  ^ shape-mismatch: add the offsets to the pointer, `z_ptr + i`
#|   from: `v` of shape [64] is made here
    tl.store(z_ptr, j, v)
#|                  ^ shape-mismatch: `z_ptr` is the address of one element, and `j` is a block of 64: add the offsets to the pointer, `z_ptr + j`
#|   fix: write `z_ptr + j` | z_ptr + j
    tl.store(z_ptr, tl.zeros([32], tl.float32))
#|                  ^^^^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: `z_ptr` is the address of one element, and `tl.zeros([32], tl.float32)` is a block of 32
#|   note: add a block of offsets to the pointer, as in `z_ptr + tl.arange(0, 32)`
