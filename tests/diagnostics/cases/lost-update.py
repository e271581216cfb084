# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What is added to an array's name is added to its address.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,sum_ptr=*fp32,mean_ptr=*fp32,prod_ptr=*fp32,one_ptr=*fp32,count_ptr=*i32,most_ptr=*i32,all_ptr=*i32,n=i32
#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, out_ptr, sum_ptr, mean_ptr, prod_ptr, one_ptr, count_ptr, most_ptr, all_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    sum_ptr += tl.sum(x)
#|  ^^^^^^^^^^^^^^^^^^^^ type-mismatch: `sum_ptr` is a pointer: `tl.atomic_add(sum_ptr, tl.sum(x))` adds to what it points to
#|   fix: write `tl.atomic_add(sum_ptr, tl.sum(x))`
    mean_ptr -= tl.sum(x) / n
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: `tl.atomic_add(mean_ptr, -(tl.sum(x) / n))` subtracts from what it points to
    prod_ptr *= tl.sum(x)
#|  ^^^^^^^^^^^^^^^^^^^^^ type-mismatch: `tl.store(prod_ptr, tl.load(prod_ptr) * tl.sum(x))` changes what it points to
#|   note: only one of their updates is left
    out_ptr += x
#|  ^^^^^^^^^^^^ type-mismatch: `tl.store(out_ptr + i, tl.load(out_ptr + i, mask=i < n) + x, mask=i < n)` adds to what it points to
#|   fix: write `tl.store(out_ptr + i, tl.load(out_ptr + i, mask=i < n) + x, mask=i < n)`
    one_ptr += 1.0
#|  ^^^^^^^^^^^^^^ type-mismatch: `tl.atomic_add(one_ptr, 1.0)` adds to what it points to
    count_ptr += tl.sum(tl.load(most_ptr + i, mask=i < n, other=0))
#|  ^~ unused-result: this moves `count_ptr` to another address, and nothing is read or written there: `tl.atomic_add(count_ptr, tl.sum(tl.load(most_ptr + i, mask=i < n, other=0)))` adds to what it points to
#|   fix: write `tl.atomic_add(count_ptr, tl.sum(tl.load(most_ptr + i, mask=i < n, other=0)))`
    all_ptr += n
#|  ^^^^^^^^^^^^ unused-result: this moves `all_ptr` to another address, and nothing is read or written there: `tl.atomic_add(all_ptr, n)` adds to what it points to
    most_ptr += i
#|  ^^^^^^^^^^^^^ unused-result: and nothing is read or written there: `tl.store(most_ptr + i, value)` writes there
