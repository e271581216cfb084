#| set signature x_ptr=*fp16,y_ptr=*i32,n=i32
#| set constexpr B=16
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    h = tl.zeros([16, 16], tl.float16)
    f = tl.zeros([16, 16], tl.float32)
    a01 = tl.dot(h, f)
#|                  ^ type-mismatch: both operands must be same dtype, got fp16 and fp32
#|   note: `f.to(h.dtype)` has the type of `h`
#|   fix: write `f.to(h.dtype)` | f.to(h.dtype)
    a23 = tl.dot(tl.zeros([16, 32], tl.uint8), tl.zeros([32, 16], tl.int8))
#|                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: both operands must be same dtype, got uint8 and int8
#|   note: integers are multiplied as int8 with int8; values that int8 cannot hold, such as those of uint8 above 127, are exact up to 2048 as fp16: `.to(tl.float16)` of both
    a02 = tl.dot(tl.zeros([16, 32], tl.float16), h)
#|                                               ^ shape-mismatch: first input shape [16, 32] and second input shape [16, 16] are not compatible for matmul (second dimension of first input must be equal to first dimension of second input)
    a03 = tl.dot(h, h, x)
#|                     ^ type-mismatch: the accumulator must be fp16[16, 16], got fp16[16]
    a04 = tl.dot(h, h, input_precision="tf33")
#|                                     ^^^^^^ bad-argument: `input_precision` must be one of tf32, tf32x3, ieee, bf16x3, bf16x6, got "tf33"
    a05 = tl.dot(x, x)
#|                  ^ shape-mismatch: both inputs of `dot` must have the same rank of at least 2, got fp16[16] and fp16[16]
    a06 = tl.broadcast_to(x, [16, 16])
#|        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: cannot broadcast [16] to [16, 16]: rank mismatch
    a07 = tl.broadcast_to(x, [32])
#|        ^^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: cannot broadcast [16] to [32]: dimension 0 must be 1 or 32, but is 16
    a08 = tl.reshape(x, [4, 8])
#|        ^^^^^^^^^^^^^^^^^^^^^ bad-shape: `reshape` cannot change the total number of elements: [16] has 16, [4, 8] has 32
    a09 = tl.reshape(x, [3, 5])
#|                      ^^^^^^ bad-shape: shape element 0 must be a power of 2, but is 3
    a10 = tl.trans(x)
#|                 ^ bad-argument: `trans` needs a block of rank 2 or more, got fp16[16]
    a11 = tl.permute(h, (0, 0))
#|                      ^^^^^^ bad-argument: permute dims must be a permutation of 0, 1, ..., n-1 for a block of rank 2, but were [0, 0]
    a12 = tl.expand_dims(x, 3)
#|                          ^ bad-argument: invalid axis 3: expected -2 <= axis < 2
    a13 = tl.split(x)
#|                 ^ bad-shape: `split` needs a last dimension of extent 2, got fp16[16]
    a15 = x.to(tl.int16, bitcast=True)
    a21 = tl.sum(x, axis=1)
#|                       ^ bad-argument: `x` has one axis: write `axis=0`
#|   fix: write `axis=0` | 0
    a22 = tl.sum(x, axis=n)
#|                       ^ not-constexpr: argument `axis` of `sum` must be a constexpr, got int32
#|   note: declare the parameter as `n: tl.constexpr`
    a23 = tl.argmax(x)
#|        ^^^^^^^^^^^^ bad-call: `argmax` is missing the argument `axis`
    a24 = tl.reduce(x, 0, 5)
#|        ^^^^^^^^^^^^^^^^^^ bad-call: constexpr int = 5 is not callable
    a25 = tl.associative_scan(x, 1, tl.maximum)
#|                               ^ bad-argument: `x` has one axis: write `axis=0`
#|   fix: write `axis=0` | 0
    a26 = tl.cumsum(x, axis=2)
#|                          ^ bad-argument: `x` has one axis: write `axis=0`
#|   fix: write `axis=0` | 0
    a26b = tl.max(h, axis=-3)
#|                        ^~ bad-argument: `h` has 2 axes: `axis` is from -2 to 1, but is -3
    a27 = tl.sort(h, 0)
#|        ^^^^^^^^^^^^^ static-assert-failed: `sort`: only the last dimension can be sorted
    a28 = tl.gather(x, x, 0)
#|                     ^ type-mismatch: `gather` needs a block of integers as index, got fp16[16]
    a29 = tl.histogram(x, 16)
#|                     ^ type-mismatch: histogram only supports 32-bit integer input
    a30 = tl.histogram(i, 10)
#|        ^^^^^^^^^^^^^^^^^^^ bad-shape: shape element 0 must be a power of 2, but is 10
    a31 = tl.program_id(3)
#|                      ^ bad-argument: program_id axis must be 0, 1, or 2 but got 3
    a36 = tl.full([16], x, tl.float32)
#|                      ^ bad-argument: only accepts size-1 tensor
    a37 = tl.zeros([16], 5)
#|                       ^ bad-argument: argument `dtype` of `zeros` must be a dtype such as `tl.float32`, got constexpr int = 5
    a38 = tl.zeros([16])
#|        ^^^^^^^^^^^^^^ bad-call: `zeros` is missing the argument `dtype`
    a59 = tl.make_block_ptr(x_ptr, (n,), (1, 2), (0,), (B,), (0,))
#|        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bad-argument: expected shape, strides, offsets, block_shape and order of `make_block_ptr` to have the same length
    a60 = tl.make_tensor_descriptor(x_ptr, [n, n], [n, 2], [16, 16])
#|                                                 ^^^^^^ bad-argument: tensor descriptor last dim must be 1 but got constexpr int = 2
    a61 = tl.cat(x, h)
#|                  ^ type-mismatch: `cat` needs two blocks of one type and shape, got fp16[16] and fp16[16, 16]
    a66 = tl.view(x, (3,))
#|                   ^^^^ bad-shape: shape element 0 must be a power of 2, but is 3
    tl.store(x_ptr + i, x)
