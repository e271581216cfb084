# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Of a call that lacks a comma nothing is said but that.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, out_ptr, n):
    i = tl.arange(0 64)
#|                  ^^ syntax-expected-token: expected `,` or `)` after the argument, found `64`
#|   fix: add the missing comma | ,
    x = tl.load(x_ptr + i mask=i < n, other=0.0)
#|                        ^^^^ syntax-expected-token: expected `,` or `)` after the argument, found `mask`
#|   fix: add the missing comma | ,
    y = tl.maximum(x 0.0)
#|                   ^^^ syntax-expected-token: expected `,` or `)` after the argument, found `0.0`
#|   fix: add the missing comma | ,
    z = tl.load(x_ptr + n, mask=n > 0 other=0.0)
#|                                    ^^^^^ syntax-expected-token: expected `,` or `)` after the argument, found `other`
#|   fix: add the missing comma | ,
    tl.store(out_ptr + i y, mask=i < n)
#|                       ^ syntax-expected-token: expected `,` or `)` after the argument, found `y`
#|   fix: add the missing comma | ,
