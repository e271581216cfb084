# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Blocks, conditions and characters as they are written elsewhere: nothing follows from them.
import triton
import triton.language as tl


@triton.jit
def my kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr) {
#|  ^^^^^^^^^ syntax-expected-token: the name of a function is one word, such as `my_kernel`
#|                                                    ^ syntax-expected-token: a block of Python has no braces
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    if n > 3 then:
#|           ^^^^ syntax-expected-token: Python has no `then`
        y = x
    else if n =< 2 {
#|  ^^^^^^^ syntax-expected-token: Python has no `else if`: write `elif`
#|            ^^ syntax-expected-token: Python has no `=<`: write `<=`
#|                 ^ syntax-expected-token: a block of Python has no braces
        y = x * 2
    }
    else {
#|       ^ syntax-expected-token: a block of Python has no braces
        y = 2x
#|          ^^ syntax-invalid-number: invalid decimal literal `2x`
    }
    tl.device_print(“y”, y)
#|                  ^^^^^^^ syntax-invalid-character: a string is in straight quotes
    tl.store(out_ptr + i, y, mask=i < n)
}
