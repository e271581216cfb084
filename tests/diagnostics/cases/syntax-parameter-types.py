# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# C states the types of parameters in front of their names.
import triton
import triton.language as tl


@triton.jit
def k(const float* x_ptr, float *out_ptr, int n, half, BLOCK: tl.constexpr):
#|    ^^^^^^^^^^^^^ syntax-invalid-parameters: a parameter has no type in front of its name: write `x_ptr`; its type is that of the argument
#|   fix: remove `const float*`
#|                        ^^^^^^^ syntax-invalid-parameters: write `out_ptr`
#|   fix: remove `float *`
#|                                        ^^^^ syntax-invalid-parameters: write `n`
#|   fix: remove `int`
    offs = tl.arange(0, BLOCK)
    acc = [0.0] * 4
    acc += tl.load(x_ptr + offs, mask=offs < n)
#|  ^~ type-mismatch: kernels compute with blocks, not with lists or tuples: `tl.zeros([128], dtype=tl.float32)` is a block of 128 zeros
    tl.store(out_ptr + offs, acc * half, mask=offs < n)
