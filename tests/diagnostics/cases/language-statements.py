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
#|      ^^^^^ unsupported-syntax: `break` is not supported in a kernel
    x[0] = 1
#|  ^^^^ unsupported-syntax: only names and tuples of names can be assigned in a kernel
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
#|  ^^^^^^^^^^^ unsupported-syntax: `import` is not supported in a kernel
    del n
#|  ^^^^^ unsupported-syntax: `del` is not supported in a kernel
    global G
#|  ^^^^^^^^ unsupported-syntax: `global` is not supported in a kernel
    class C:
#|        ^ unsupported-syntax: `class` is not supported in a kernel
        pass
    def g():
#|      ^ unsupported-syntax: nested function definition is not supported
        pass
    try:
#|  ^~ unsupported-syntax: `try` is not supported in a kernel
        pass
    except E:
        pass
    with x:
#|  ^~ unsupported-syntax: `with` is not supported in a kernel
        pass
    raise ValueError
#|  ^^^^^^^^^^^^^^^^ unsupported-syntax: `raise` is not supported in a kernel
    assert x
    yield 3
#|  ^^^^^^^ unsupported-syntax: `yield` is not supported in a kernel
    await n
#|  ^^^^^^^ unsupported-syntax: `await` is not supported in a kernel
    l = lambda: 3
#|      ^^^^^^^^^ unsupported-syntax: `lambda` is not supported in a kernel
    tl.store(x_ptr + i, x)
