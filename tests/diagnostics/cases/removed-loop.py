# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, y_ptr, n):
    s = tl.load(x_ptr)
    i = 0
    while i < n:
#|        ^^^^^ endless-loop: nothing in its body changes `i` or `n`
#|  ^^^^^ unused-result: the compiler leaves this loop out: what the kernel stores does not depend on it
#|   note: a loop that would never end is left out, too
        s = s * 1.0
    while i < n:
        s = s * 2.0
        i += 1
    tl.store(y_ptr, s)
