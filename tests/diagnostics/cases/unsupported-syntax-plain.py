# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n)

    with open("log") as log:
#|  ^^^^ unsupported-syntax: `with` cannot be used in a kernel
#|  note: one level further to the left
#|  fix: leave out the `with` | a = x * 2
        a = x * 2
        b = a + 1
    with open("log") as log:
#|  ^^^^ unsupported-syntax: `with` cannot be used in a kernel
        log.write(x)

    try:
#|  ^^^ unsupported-syntax: `try` cannot be used in a kernel
#|  note: raises no exceptions
#|  fix: leave out the `try`, since nothing is raised | c = x
        c = x
    except ValueError:
        c = -x
    else:
        c = c + 1
    finally:
        c = c * 2

    choices = {1, 2}
#|            ^^^^^^ unsupported-syntax: a set cannot be made in a kernel
#|  fix: write `(1, 2)` | (1, 2)
    one = {x}
#|        ^^^ unsupported-syntax: a set cannot be made in a kernel
#|  fix: write `(x,)`
    d = {"a": x, "b": x * 2}
#|      ^^^^^^^^^^^^^^^^^^^^ unsupported-syntax: a dictionary cannot be made in a kernel
#|  note: give each value a name of its own
#|  fix: give each value a name of its own | d_a = x
    e = d["a"] + d["b"]
    by_number = {0: x}
#|              ^^^^^^ unsupported-syntax: a dictionary cannot be made in a kernel
    tl.store(y_ptr + i, x, mask=i < n)
