# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The address of one element, and a mask for a block. The program's number chooses a row of one array and an element of
# another: offsets behind it would read elements of other programs.
import triton
import triton.language as tl


#| set kernel k
#| set signature x_ptr=*fp32,b_ptr=*fp32,row_ptr=*i32,y_ptr=*fp32,cols=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, b_ptr, row_ptr, y_ptr, cols, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, B)
    x = tl.load(x_ptr + r * cols + c, mask=c < cols)
    b = tl.load(b_ptr + r, mask=c < cols)
#|                              ^^^^^^^^ shape-mismatch: `b_ptr + r` is the address of one element, and `c < cols` is a block of 64: one element needs no mask
#|   note: leave the mask out to take the element that `r` counts
#|   note: for one element for each of `c`, the address is `b_ptr + c`
    tl.store(y_ptr + r, 0.0, mask=c < cols)
#|                                ^^^^^^^^ shape-mismatch: `y_ptr + r` is the address of one element, and `c < cols` is a block of 64: one element needs no mask
#|   note: leave the mask out
    # A product is where a block begins.
    start = r * B
    s = tl.load(x_ptr + start, mask=c < cols)
#|                                  ^^^^^^^^ shape-mismatch: `x_ptr + start` is the address of one element, and `c < cols` is a block of 64: add the offsets to the pointer, `x_ptr + start + c`
#|   fix: write `x_ptr + start + c`
    tl.store(y_ptr + r * cols + c, x + b + s, mask=c < cols)
