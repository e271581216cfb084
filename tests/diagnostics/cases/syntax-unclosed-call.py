# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Brackets that are open at the end of a line, and lines that cannot go on with what is in them.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, out_ptr, n):
    i = tl.arange(0, 64)
    x = tl.load(x_ptr + i)
    y = tl.exp(x
#|            ^ syntax-unclosed-bracket: `(` was never closed
#|   fix: close `(` in front of `tl.store`
               tl.store(out_ptr + i, y, i < n))
    z = tl.where(x > 0,
                 tl.exp(x)
                 tl.exp2(x))
#|               ^^ syntax-expected-token: expected `,` or `)` after the argument, found `tl`
#|   from: `(` is open since here
#|   fix: add the missing comma
    tl.store(out_ptr + i, z)
