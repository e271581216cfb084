# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# One number was loaded where a block is needed: what was meant, in the names of the kernel.
import triton
import triton.language as tl


#| set signature a_ptr=*fp32,b=*fp32,i_ptr=*i32,out=*fp32,n=i32,cols=i32,b_stride=i32
#| set constexpr BLOCK_N=64
@triton.jit
def k(a_ptr, b, i_ptr, out, n, cols, b_stride, BLOCK_N: tl.constexpr):
    row = tl.program_id(0)
    x = tl.load(a_ptr + row)
    tl.store(out + row, x.max())
#|                      ^^^^^^^ type-mismatch: `max` needs blocks, got fp32
#|   note: `x` is one number, the one at `a_ptr + row`; row `row` of a matrix is `tl.load(a_ptr + row * cols + tl.arange(0, BLOCK_N), mask=tl.arange(0, BLOCK_N) < cols)`
    y = tl.load(b + row)
    tl.store(out + row, tl.sum(y, axis=0))
#|                      ^^^^^^^^^^^^^^^^^ type-mismatch: `sum` needs blocks, got fp32
#|   note: row `row` of a matrix is `tl.load(b + row * b_stride + tl.arange(0, BLOCK_N), mask=tl.arange(0, BLOCK_N) < cols)`
    for i in range(n):
        z = tl.sum(tl.load(b + i * b_stride + cols), axis=0)
#|          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: `sum` needs blocks, got fp32
#|   note: it is one number, the one at `b + i * b_stride + cols`; a block of numbers is `tl.load(b + i * b_stride + tl.arange(0, BLOCK_N), mask=tl.arange(0, BLOCK_N) < cols)`
    begin = row * cols
    w = tl.load(a_ptr + begin)
    tl.store(out, tl.min(w))
#|                ^^^^^^^^^ type-mismatch: `min` needs blocks, got fp32
#|   note: a block of numbers is `tl.load(a_ptr + begin + tl.arange(0, BLOCK_N), mask=tl.arange(0, BLOCK_N) < cols)`
    whole = tl.load(i_ptr + row)
    for v in whole:
#|           ^^^^^ unsupported-syntax: a `for` loop of a kernel counts
#|   note: `whole` is one number, the one at `i_ptr + row`; row `row` of a matrix is `tl.load(i_ptr + row * cols + tl.arange(0, BLOCK_N), mask=tl.arange(0, BLOCK_N) < cols)`
#|   note: a block needs no loop: `whole * 2` doubles all of its elements, and `tl.sum(whole, axis=0)` adds them up
        pass
    half = x * 0.5
    tl.store(out, tl.sum(half))
#|                ^^^^^^^^^^^^ type-mismatch: `sum` needs blocks, got fp32
#|   note: `half` is one number; a block of numbers is loaded from a block of addresses, such as `pointer + tl.arange(0, 64)`
    c = b[row, :]
#|      ^^^^^^^^^ bad-argument: load its elements with `tl.load(b + row * b_stride + tl.arange(0, BLOCK_N))`
    d = a_ptr[row, :]
#|      ^^^^^^^^^^^^^ bad-argument: load its elements with `tl.load(a_ptr + row * cols + tl.arange(0, BLOCK_N))`
#|   note: that is right where rows lie side by side, `cols` elements each
    e = a_ptr[row, i]
#|      ^^^^^^^^^^^^^ bad-argument: load its elements with `tl.load(a_ptr + row * cols + i)`
#|   fix: write `tl.load(a_ptr + row * cols + i)`
    f = tl.load(b + tl.arange(0, BLOCK_N), mask=...)
#|                                              ^^^ bad-argument: argument `mask` of `load` must be a run-time value
#|   note: `...` stands for code that is still to be written: a condition for each element, such as `offsets < n`
    g = tl.load(b + tl.arange(0, BLOCK_Q))
#|                               ^^^^^^^ undefined-name: `BLOCK_Q` is not defined
    h = tl.load(b + tl.arange(0, SIDE) * pitch)
#|                               ^^^^ undefined-name: `SIDE` is not defined
#|   fix: add the parameter `SIDE: tl.constexpr` | , SIDE: tl.constexpr
#|                                       ^^^^^ undefined-name: `pitch` is not defined
#|   fix: add the parameter `pitch` | , pitch
