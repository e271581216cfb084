# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# `=+` and `=-` are an assignment and a sign, not `+=` and `-=`.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    x =+ 1
#|  ^^^^^^ unused-result: `=+` gives `x` the value `+1`, and what it was before is lost; `x += 1` adds to it
#|   fix: write `+=` | +=
    for j in range(n):
        x =- j
#|      ^^^^^^ unused-result: `x -= j` subtracts from it
#|   fix: write `-=` | -=
    # These say what they do.
    x =-2
    x = +3
    y =+ 4
    tl.store(y_ptr + i, x + y, mask=i < n)
