# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Addresses that are moved and used: in the next turn of a loop, below, in a function, in one of two branches.
import triton
import triton.language as tl


@triton.jit
def copy(from_ptr, to_ptr, i):
    tl.store(to_ptr + i, tl.load(from_ptr + i))


#| set nothing
#| set signature a_ptr=*fp32,b_ptr=*fp32,c_ptr=*fp32,d_ptr=*fp32,e_ptr=*fp32,f_ptr=*fp32,stride=i32,K=i32
#| set constexpr BLOCK=64
@triton.jit
def k(a_ptr, b_ptr, c_ptr, d_ptr, e_ptr, f_ptr, stride, K, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    b_ptr += tl.program_id(0) * stride
    for _ in range(0, K, BLOCK):
        total += tl.load(a_ptr + i) * tl.load(b_ptr + i)
        a_ptr += BLOCK * stride
        b_ptr += BLOCK
    if K > 4:
        c_ptr += stride
    c_ptr = c_ptr + 1
    tl.store(c_ptr + i, total)
    # Behind the last use.
    c_ptr += BLOCK
    copy(d_ptr, e_ptr, i)
    e_ptr += BLOCK
    # For nothing, and no result is lost.
    f_ptr += stride
