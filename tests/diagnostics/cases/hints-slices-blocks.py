# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Slices of blocks, as NumPy has them.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,d=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, out_ptr, d, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i)
    w = v[::-1]
#|        ^^^^ bad-argument: `v` is a block, and only `:` and `None` index it
#|   note: `tl.flip(v, 0)` has the elements in the other order
#|   fix: write `tl.flip(v, 0)` | tl.flip(v, 0)
    v[d:] += 1.0
#|  ^^^^^ unsupported-syntax: a block cannot be changed in place: `v = tl.where(tl.arange(0, BLOCK) >= d, v + 1.0, v)`
#|   fix: write `v = tl.where(tl.arange(0, BLOCK) >= d, v + 1.0, v)`
    v[2:d] = 0.0
#|  ^^^^^^ unsupported-syntax: `v = tl.where((tl.arange(0, BLOCK) >= 2) & (tl.arange(0, BLOCK) < d), 0.0, v)`
#|   fix: write `v = tl.where(
    # From the end: only the author knows how many there are.
    v[-2:] = 0.0
#|  ^^^^^^ unsupported-syntax: a block cannot be changed in place: `v = tl.where(condition, 0.0, v)`
    u = x_ptr[::-1]
#|      ^^^^^^^^^^^ bad-argument: load its elements with `tl.load(x_ptr + …)`
#|   note: a slice that counts down has the elements `n - 1 - i`
    z = tl.exp(*(x_ptr + i))
#|             ^~ type-mismatch: Python has no `*pointer`: `tl.load(x_ptr + i)` reads what is there
    tl.store(out_ptr + i, v)
