#| set signature x_ptr=*fp16,q_ptr=*i8,y_ptr=*fp16
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, q_ptr, y_ptr):
    i = tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    x = tl.load(x_ptr + i)
    q = tl.load(q_ptr + i)
    acc = tl.zeros((32, 32), dtype=tl.float16)
    acc = tl.dot(x, x, acc)
#|                     ^^^ type-mismatch: Triton up to 3.6 does not compile this: without `out_dtype` it adds to an accumulator of float32 alone, and this one is tl.float16
#|   note: give `out_dtype=tl.float16`, or begin with `tl.zeros(…, dtype=tl.float32)`, which loses fewer digits
#|   fix: write `tl.dot(x, x, acc, out_dtype=tl.float16)` | tl.dot(x, x, acc, out_dtype=tl.float16)
    acc = tl.dot(x, x, acc, out_dtype=tl.float16)
    whole = tl.zeros((32, 32), dtype=tl.int32)
    whole = tl.dot(q, q, whole)
#|                       ^^^^^ type-mismatch: Triton 3.3 to 3.6 do not compile this: without `out_dtype` it adds to an accumulator of float32 alone, and this one is tl.int32
#|   note: give `out_dtype=tl.int32`
#|   fix: write `tl.dot(q, q, whole, out_dtype=tl.int32)` | tl.dot(q, q, whole, out_dtype=tl.int32)
    wide = tl.dot(x, x, tl.zeros((32, 32), dtype=tl.float32))
    tl.store(y_ptr + i, acc + whole + wide)
