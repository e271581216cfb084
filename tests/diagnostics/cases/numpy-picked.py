# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Elements that a condition picks: what takes the place of the others depends on what is done with them.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,count_ptr=*i32,out_ptr=*fp32,limit=fp32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, count_ptr, out_ptr, limit, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    a = len(v[v > limit])
#|            ^~ bad-argument: `v` is a block
#|   note: counts those for which it holds
#|   fix: | tl.sum((v > limit).to(tl.int32), axis=0)
    b = tl.max(v[v > limit])
#|               ^~ bad-argument: `v` is a block
#|   fix: | tl.where(v > limit, v, float("-inf"))
    c = tl.min(v[v > limit])
#|               ^~ bad-argument: `v` is a block
#|   fix: | tl.where(v > limit, v, float("inf"))
    d = tl.sum(v[v > limit])
#|               ^~ bad-argument: `v` is a block
#|   fix: | tl.where(v > limit, v, 0)
    e = v[v > limit].mean()
#|        ^~ bad-argument: `v` is a block
#|   fix: | tl.sum(tl.where(v > limit, v, 0), axis=0) / tl.sum((v > limit).to(tl.int32), axis=0)
    f = tl.min(i[v > limit])
#|               ^~ bad-argument: `i` is a block
#|   note: with an `other` that is never the smallest
