#| set signature x_ptr=*fp16,y_ptr=*i32,n=i32
#| set constexpr B=16
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def pair(a, b):
    return b, a


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    q = tl.zeros([16, 64], tl.uint8)
    s16 = tl.zeros([16, 8], tl.uint8)
    s32 = tl.zeros([16, 4], tl.uint8)
    p = tl.make_block_ptr(x_ptr, (n, n), (n, 1), (0, 0), (16, 16), (1, 0))
    d = tl.make_tensor_descriptor(x_ptr, [n, n], [n, 1], [16, 16])
    a01 = x_ptr < y_ptr
#|        ^^^^^^^^^^^^^ type-mismatch: invalid operands of type `pointer<fp16>` and `pointer<int32>`: a pointer is not a number; `tl.load` reads what it points to
    a02 = tl.where(i < 3, x_ptr, y_ptr)
#|        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: invalid operands of type `pointer<fp16>` and `pointer<int32>`: pointers must be of one type
    a03 = x_ptr + 1.5
#|        ^^^^^^^^^^^ type-mismatch: invalid operands of type `pointer<fp16>` and `fp32`: only integers can be added to a pointer or subtracted from it
    a04 = tl.load(p, boundary_check=(2,))
#|                                  ^^^^ bad-argument: dimension 2 in `boundary_check` is out of range for a block of rank 2
    a05 = tl.load(p, boundary_check=(1, 1))
#|                                  ^^^^^^ bad-argument: duplicate dimension 1 in `boundary_check`
    a06 = tl.atomic_poll(y_ptr, 1, sem="release")
#|                                     ^^^^^^^^^ bad-argument: `sem` of `atomic_poll` must be "acquire" or "relaxed", got "release"
    a07 = tl.dot_scaled(q, s16, "e2m1", q.trans(), s32, "e2m1")
#|                                                 ^^^ shape-mismatch: operands must have the same scale factor (lhs: 16 vs rhs: 32)
    a08 = tl.map_elementwise(pair, x, pack=3)
#|                                         ^ bad-argument: `pack` must be a power of 2 and no more than the block's 16 elements, got 3
    a09 = tl.map_elementwise(pair, x, pack=32)
#|                                         ^^ bad-argument: `pack` must be a power of 2 and no more than the block's 16 elements, got 32
    tl.store(y_ptr + i, i[:, None] + i[None, :])
#|           ^^^^^^^^^ shape-mismatch: expected the pointer argument to have shape [16, 16] but got [16]
    tl.store(y_ptr + i, i, mask=(i[:, None] < 3) & (i[None, :] < 2))
#|           ^^^^^^^^^ shape-mismatch: expected the pointer argument to have shape [16, 16] but got [16]
    d.atomic_and([0, 0], tl.zeros([16, 16], tl.float32))
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ dtype-unsupported: unsupported dtype `fp16` in `atomic_and` through a descriptor
