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
    a16 = x and i
#|        ^^^^^^^ type-mismatch: `and`, `or` and `not` need booleans, got `fp16`; compare first
    a17 = not x
#|        ^^^^^ type-mismatch: `and`, `or` and `not` need booleans, got `fp16`; compare first
    a18 = n in (1, 2)
#|        ^^^^^^^^^^^ unsupported-syntax: `in` is not supported for run-time values
    a19 = x[i]
#|          ^ bad-argument: unsupported tensor index: `x` is a block, and only `:` and `None` index it
#|   note: elements of a block cannot be picked by number; use masks, `tl.gather`, or load just the part you need
    a20 = x[0:2]
#|          ^^^ bad-argument: unsupported tensor index: `x` is a block, and only `:` and `None` index it
#|   note: elements of a block cannot be picked by number; use masks, `tl.gather`, or load just the part you need
    a42 = x // 2.0
#|        ^^^^^^^^ type-mismatch: `//` is not supported for `fp32`: divide with `/` and use `tl.floor`
    a43 = ~x
#|        ^^ type-mismatch: wrong type argument to unary `~`: fp16[16]
    a44 = x << 1
#|        ^^^^^^ type-mismatch: invalid operands of type `fp16` and `int32`: integers are needed
    a45 = x_ptr * 2
#|        ^^^^^^^^^ type-mismatch: invalid operands of type `pointer<fp16>` and `int32`
    a46 = -x_ptr
#|        ^^^^^^ type-mismatch: wrong type argument to unary `-`: pointer<fp16>
    a47 = x_ptr == y_ptr
#|        ^^^^^^^^^^^^^^ type-mismatch: invalid operands of type `pointer<fp16>` and `pointer<int32>`
    a48 = tl.where(i < n, x_ptr, x)
#|        ^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: invalid operands of type `pointer<fp16>` and `fp16`
    a67 = i.to(tl.float8e5)
#|        ^^^^^^^^^^^^^^^^^ type-mismatch: cannot cast `int32` to `fp8e5`: cast to fp32 in between
    a75 = (1, 2)[5]
#|        ^^^^^^^^^ constant-evaluation: IndexError: tuple index out of range
    a76 = "a" + 1
#|        ^^^^^^^ constant-evaluation: TypeError: can only concatenate str (not "int") to str
    a77 = float("x")
#|        ^^^^^^^^^^ constant-evaluation: ValueError: could not convert string to float: 'x'
    a78 = min("a", 1)
#|        ^^^^^^^^^^^ constant-evaluation: TypeError: '<' not supported between instances of 'int' and 'str'
    tl.store(x_ptr + i, x)
