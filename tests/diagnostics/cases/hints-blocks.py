# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Python that takes blocks apart, and what kernels write instead.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 64)
    v = tl.load(x_ptr + i)
    a = [e * 2 + e for e in v]
#|      ^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: fp32[64] is not iterable
#|   note: `v` is a block: operations act on all of its elements at once, such as `v * 2`
#|   fix: write `v * 2 + v` | v * 2 + v
    b = [e for e in v if e > 0]
#|      ^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: fp32[64] is not iterable
    for e in v:
#|           ^ unsupported-syntax: a loop cannot go through the elements of a block
#|   note: `v` is a block: operations act on all of its elements at once, such as `v * 2`, without a loop
        pass
    for e in v * 2:
#|           ^^^^^ unsupported-syntax: a loop cannot go through the elements of a block
#|   note: operations act on all elements of a block at once: after `x = …`, `x * 2` doubles all of them
        pass
    for e in n:
#|           ^ unsupported-syntax: a `for` loop of a kernel counts: behind `in` is `range`
#|   note: `n` is a number: `range(n)` counts up to it
#|   fix: write `range(n)` | range(n)
        pass
    s = tl.load(x_ptr)
    for e in s:
#|           ^ unsupported-syntax: a `for` loop of a kernel counts: behind `in` is `range`
#|   note: `s` is one number, the one at `x_ptr`; a block of numbers is `tl.load(x_ptr + tl.arange(0, BLOCK), mask=tl.arange(0, BLOCK) < n)`
#|   note: a block needs no loop: `s * 2` doubles all of its elements, and `tl.sum(s, axis=0)` adds them up
        pass
    t = x_ptr.shape[0]
#|      ^^^^^^^^^^^ constant-evaluation: `x_ptr` is a pointer and has no shape
#|   note: a pointer does not know how many elements it points to: pass the extents of the array as arguments
    u = s.shape[0]
#|      ^^^^^^^ constant-evaluation: `s` is one number: its shape is empty
    for e in x_ptr:
#|           ^^^^^ unsupported-syntax: a `for` loop of a kernel counts
#|   note: `x_ptr` is a pointer: `tl.load(x_ptr + tl.arange(0, BLOCK), mask=tl.arange(0, BLOCK) < n)` loads a block
        pass
    for e in [1, 2]:
#|           ^^^^^^ unsupported-syntax: a `for` loop of a kernel counts
#|   note: these numbers are `range(1, 3)`
#|   fix: write `range(1, 3)` | range(1, 3)
        pass
    c = len(v)
#|          ^ not-constexpr: `v` is a block, fp32[64]: its length is `v.shape[0]`
#|   fix: write `v.shape[0]` | v.shape[0]
    d = len(x_ptr)
#|          ^^^^^ not-constexpr: the number of elements is `n`: `x_ptr` is a pointer<fp32>, which does not know it
#|   fix: write `n` | n
    f = x_ptr + y_ptr
#|      ^^^^^^^^^^^^^ type-mismatch: cannot add pointers together: `tl.load` reads what they point to
    print(f"n {n} of")
#|             ^ not-constexpr: cannot evaluate f-string: int32 is not known at compile time
#|   note: values follow the text: `print("n", n)`
#|   fix: write `"n  of", n` | "n  of", n
    print(f"n {n:4d}")
#|             ^ not-constexpr: cannot evaluate f-string
    g = h + 1
#|      ^ undefined-name: `h` is used before it is set in line 36
#|   from: it is set here
    h = 2
    tl.store(y_ptr + i, v)
