# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What NumPy does with vectors. No type is set: what is guessed for products of vectors is the same
# before and behind the fixes.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, 1024)
    x = tl.load(x_ptr + i)
    y = tl.load(y_ptr + i)
    a = x @ x
#|      ^^^^^ unsupported-syntax: `@` is not supported: use `tl.sum` of the product
#|   note: of blocks with one dimension it is the sum of the products of their elements: `tl.sum(x * x)`
#|   fix: write `tl.sum(x * x)` | tl.sum(x * x)
    b = (x + 1) @ tl.exp(y)
#|      ^^^^^^^^^^^^^^^^^^^ unsupported-syntax: use `tl.sum` of the product
    c = tl.dot(x, y)
#|                ^ shape-mismatch: both inputs of `dot` must have the same rank of at least 2, got fp32[1024] and fp32[1024]
#|   note: it multiplies matrices; the sum of the products of two blocks with one dimension is `tl.sum(x * y)`
#|   fix: write `tl.sum(x * y)` | tl.sum(x * y)
    d = x.reshape(-1)
#|                ^^ bad-shape: an extent of -1 stands for nothing in a kernel: write the number
#|   note: `tl.ravel(x)` has all elements in one dimension
#|   fix: write `tl.ravel(x)` | tl.ravel(x)
    e = x.reshape(-1, 4)
#|                ^^^^^ bad-shape: an extent of -1 stands for nothing in a kernel
#|   note: here it is 256
    f = x.size
#|        ^^^^ unknown-attribute: fp32[1024] has no attribute `size`
#|   note: kernels write `x.numel`
#|   fix: write `x.numel` | x.numel
    g = max(x)
#|      ^^^^^^ bad-call: `max` needs at least two values
#|   note: the maximum of a block's elements is `tl.max(x)`
#|   fix: write `tl.max(x)` | tl.max(x)
    if not x:
#|     ^^^^^ type-mismatch: `and`, `or` and `not` need booleans, got `fp32`; compare first, as in `x != 0`
        g = 1
    h = sum(x)
#|          ^ not-constexpr: Python's `sum` runs at compile time and needs constexprs, got fp32[1024]
#|   note: kernels have `tl.sum`
#|   fix: write `tl.sum` | tl.sum
    j = mean(x)
#|      ^^^^ undefined-name: `mean` is not defined
#|   note: divide the sum by the number of elements: `tl.sum(x) / x.shape[0]`
#|   fix: write `tl.sum(x) / x.shape[0]` | tl.sum(x) / x.shape[0]
    l = x.T
#|      ^^^ bad-argument: `.T` needs a block of rank 2, got fp32[1024]
#|   note: offsets with two dimensions load a block of two
    tl.store(y_ptr + i, tl.zeros([2, 1024], dtype=tl.float32))
#|           ^^^^^^^^^ shape-mismatch: expected the pointer argument to have shape [2, 1024] but got [1024]
#|   note: a block of two dimensions goes to offsets with two
    m = a * x @triton.jit
#|                    ^^^ unknown-attribute: `triton.jit` decorates functions: a kernel cannot use it
