# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Axes of functions of the library: those that a block lacks, and those that are left out.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr):
    x = tl.load(x_ptr + tl.arange(0, 64))
    m = tl.load(x_ptr + tl.arange(0, 8)[:, None] * 8 + tl.arange(0, 8)[None, :])
    a = tl.argmax(x)
#|      ^^^^^^^^^^^^ bad-call: `argmax` is missing the argument `axis`
#|   fix: tl.argmax(x, axis=0)
    b = tl.argmin(x, axis=1)
#|                        ^ bad-argument: `x` has one axis: write `axis=0`
#|   fix: write `axis=0` | 0
    c = tl.argmin(m)
#|      ^^^^^^^^^^^^ bad-call: `argmin` is missing the argument `axis`
#|   note: the block has 2 axes: `axis=0` goes down each column, `axis=1` along each row
    d = tl.argmax(m, axis=2)
#|                        ^ bad-argument: `m` has 2 axes: `axis` is from -2 to 1, but is 2
    e = tl.argmax(x, axis=0, keepdims=True)
#|                           ^^^^^^^^ bad-call: `argmax` has no parameter `keepdims`
#|   fix: write `keep_dims`
    f = tl.flip(x, dim=1)
#|                     ^ bad-argument: `x` has one axis: write `dim=0`
#|   fix: write `dim=0` | 0
    g = tl.flip(x, axis=0)
#|                 ^^^^ bad-call: `flip` has no parameter `axis`
#|   fix: write `dim`
    h = tl.sort(x, dim=1)
#|                     ^ bad-argument: `x` has one axis: write `dim=0`
#|   fix: write `dim=0` | 0
    i = x.argmax()
#|      ^^^^^^^^^^ bad-call: `argmax` is missing the argument `axis`
#|   fix: x.argmax(axis=0)
    j = tl.cumsum(x, axis=1)
#|                        ^ bad-argument: `x` has one axis: write `axis=0`
    # All of these are right.
    right = tl.argmax(x, axis=-1) + tl.sum(tl.flip(x, dim=-1)) + tl.sum(tl.sort(x, dim=-1))
    tl.store(out_ptr, right)
