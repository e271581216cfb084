# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Two arrays are added up as on the host: no type that is guessed for them makes this compile.
import triton
import triton.language as tl


@triton.jit
def k(a, b, c, n):
    c = a + b
#|      ^^^^^ type-mismatch: cannot add pointers together: `tl.load` reads what they point to
    tl.store(c, a + b)
#|              ^^^^^ type-mismatch: cannot add pointers together
    tl.store(n, a)
#|              ^ type-mismatch: the value to store, `a` of type `pointer<fp32>`, is an address
#|   note: load their elements first, as in `tl.load(x_ptr + offsets)`
