# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A block that a loop collects, and that goes to one address, lacks its sum; so do blocks for atomics.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,count_ptr=*i32,n=i32,limit=fp32
#| set constexpr B=64
@triton.jit
def k(x_ptr, out_ptr, count_ptr, n, limit, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    largest = tl.full([B], float("-inf"), tl.float32)
    for start in range(0, n, B):
        x = tl.load(x_ptr + row * n + start + i, mask=start + i < n, other=0.0)
        total += x
        largest = tl.maximum(largest, x)
    tl.store(out_ptr + row, total)
#|                          ^^^^^ shape-mismatch: `out_ptr + row` is the address of one element, and `total` is a block of 64: its sum is one number, `tl.sum(total, axis=0)`
#|   from: `total` of shape [64] is made here
#|   note: to store all 64 elements, add offsets to the pointer, as in `out_ptr + row + i`
#|   fix: | tl.sum(total, axis=0)
    tl.store(out_ptr + row, largest)
#|                          ^^^^^^^ shape-mismatch: its maximum is one number, `tl.max(largest, axis=0)`
#|   from: `largest` of shape [64] is made here
#|   note: to store all 64 elements
#|   fix: | tl.max(largest, axis=0)
    y = tl.load(x_ptr + i)
    tl.store(out_ptr + row, y)
#|                          ^ shape-mismatch: `y` is a block of 64: add the offsets to the pointer, `out_ptr + row + i`
#|   from: `y` of shape [64] is made here
#|   note: to store one number, the block's sum, write `tl.sum(y, axis=0)`
#|   fix: | out_ptr + row + i
#|   fix: | tl.sum(y, axis=0)
    # The beginning of an array: its elements are meant.
    tl.store(out_ptr, y)
#|                    ^ shape-mismatch: `y` is a block of 64: add the offsets to the pointer, `out_ptr + i`
#|   from: `y` of shape [64] is made here
#|   fix: | out_ptr + i
    tl.atomic_add(count_ptr, y > limit)
#|                           ^^^^^^^^^ shape-mismatch: value and mask must be scalars if the pointer is one
#|   note: one element takes one number, such as the block's sum: `tl.sum((y > limit).to(tl.int32), axis=0)`
#|   note: where each element has a place of its own, add a block of offsets to the pointer
#|   fix: | tl.sum((y > limit).to(tl.int32), axis=0)
    tl.atomic_max(out_ptr, y)
#|                         ^ shape-mismatch: value and mask must be scalars
#|   from: `y` of shape [64] is made here
#|   note: such as the block's maximum: `tl.max(y, axis=0)`
#|   fix: | tl.max(y, axis=0)
    tl.atomic_add(out_ptr, y, mask=i < n)
#|                         ^ shape-mismatch: value and mask must be scalars
#|   from: `y` of shape [64] is made here
#|   note: such as the block's sum: `tl.sum(tl.where(i < n, y, 0), axis=0)`, without the mask
    tl.atomic_add(count_ptr, 1, mask=i < n)
#|                                   ^^^^^ shape-mismatch: value and mask must be scalars
#|   note: such as the block's sum: `tl.sum(tl.where(i < n, 1, 0), axis=0)`, without the mask
