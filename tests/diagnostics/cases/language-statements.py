#| set signature x_ptr=*fp16,y_ptr=*i32,n=i32
#| set constexpr B=16
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    for q in range(0.5):
#|           ^^^^^^^^^^ type-mismatch: for loop bounds and step must all be ints, but the upper bound is `fp32`
        pass
    for q in range(x):
#|           ^^^^^^^^ type-mismatch: for upper bound must be a scalar, got fp16[16]
        pass
    for q in tl.static_range(n):
#|                           ^ not-constexpr: `tl.static_range` needs constexpr integers, got int32
        pass
    for q in range(3):
        break
#|      ^^^^^ unsupported-syntax: `break` cannot be used in a kernel
    x[0] = 1
#|  ^^^^ unsupported-syntax: a block cannot be changed in place: `x = tl.where(tl.arange(0, B) == 0, 1, x)`
    n.foo = 2
#|  ^^^^^ unsupported-syntax: attributes cannot be assigned in a kernel
#|   note: make a new value instead
    *r, t = (1, 2)
#|  ^^ unsupported-syntax: starred assignment targets are not supported
    a, b = (1,)
#|  ^^^^ type-mismatch: cannot unpack 1 value into 2 names
    c, d = (1, 2, 3)
#|  ^^^^ type-mismatch: 3 values are unpacked into 2 names: Triton drops the rest, and Python refuses this
    import math
#|  ^^^^^^^^^^^ unsupported-syntax: `import` cannot be used in a kernel
#|   note: import at the top level of the file
    del n
#|  ^^^^^ unsupported-syntax: `del` cannot be used in a kernel
#|   note: leave it out: what is not used any more takes no room
    global G
#|  ^^^^^^^^ unsupported-syntax: `global` cannot be used in a kernel
#|   note: pass the value as an argument
    class C:
#|        ^ unsupported-syntax: a class cannot be defined in a kernel
#|   note: define it at the top level of the file
        pass
    def g():
#|      ^ unsupported-syntax: a function cannot be defined in a kernel
        pass
    try:
#|  ^^^ unsupported-syntax: `try` cannot be used in a kernel
#|   note: a kernel raises no exceptions: `tl.device_assert(condition, "text")` checks at run time, `tl.static_assert` while compiling
        pass
    except E:
        pass
    with x:
#|  ^^^^ unsupported-syntax: `with` cannot be used in a kernel
#|   note: leave it out, and write the statements below it one level further to the left
        pass
    raise ValueError
#|  ^^^^^^^^^^^^^^^^ unsupported-syntax: `raise` cannot be used in a kernel
#|   note: a kernel raises no exceptions
    assert x
    yield 3
#|  ^^^^^^^ unsupported-syntax: `yield` cannot be used in a kernel
#|   note: store each result in memory
    await n
#|  ^^^^^^^ unsupported-syntax: `await` cannot be used in a kernel
#|   note: leave it out: a kernel waits for what it loads
    l = lambda: 3
#|      ^^^^^^^^^ unsupported-syntax: `lambda` cannot be used in a kernel
#|   note: define a function at the top level, decorated with `@triton.jit`, and write its name here
    tl.store(x_ptr + i, x)
