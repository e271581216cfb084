# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An address is moved in place of a store, and the values are only printed.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x_ptr = x_ptr + i
    x = tl.load(x_ptr, mask=i < n)
    y_ptr = y_ptr + i
#|  ^^^^^^^^^^^^^^^^^ unused-result: this moves `y_ptr` to another address, and nothing is read or written there: `tl.store(y_ptr + i, value)` writes there
    print("x", x)
