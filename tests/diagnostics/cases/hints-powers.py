# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Powers of blocks, and elements chosen by a condition, as NumPy writes them.
import triton
import triton.language as tl


#| set constexpr B=64
@triton.jit
def k(x_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    mean = tl.sum(x, axis=0) / n
    a = tl.sum((x - mean) ** 2, axis=0)
#|             ^^^^^^^^^^^^^^^ unsupported-syntax: `**` works on constexprs only
#|   fix: write `(x - mean) * (x - mean)` | (x - mean) * (x - mean)
    b = 1 / x ** 3
#|          ^^^^^^ unsupported-syntax: `**` works on constexprs only
#|   fix: write `(x * x * x)` | (x * x * x)
    c = 2 * (x + 1) ** 0.5
#|          ^^^^^^^^^^^^^^ unsupported-syntax: `**` works on constexprs only
#|   fix: write `tl.sqrt(x + 1)` | tl.sqrt(x + 1)
    d = x ** 2
#|      ^^^^^^ unsupported-syntax: `**` works on constexprs only
#|   fix: write `x * x` | x * x
    e = x[(x > 0) & (x < 5)]
#|        ^^^^^^^^^^^^^^^^^ bad-argument: unsupported tensor index: `x` is a block
#|   note: a condition picks no elements of a block, whose size is fixed
#|   fix: write `tl.where((x > 0) & (x < 5), x, 0)` | tl.where((x > 0) & (x < 5), x, 0)
    m = i < n
    f = x[m]
#|        ^ bad-argument: unsupported tensor index: `x` is a block
#|   fix: write `tl.where(m, x, 0)` | tl.where(m, x, 0)
    tl.store(out_ptr + i, x, mask=m)
