# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Words of C and CUDA.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    a = expf(x)
#|      ^^^^ undefined-name: `expf` is not defined
#|   note: kernels have `tl.exp`
#|   fix: write `tl.exp` | tl.exp
    b = sqrtf(a)
#|      ^^^^^ undefined-name: `sqrtf` is not defined
#|   note: kernels have `tl.sqrt`
#|   fix: write `tl.sqrt` | tl.sqrt
    c = tl.fmaxf(x, 0.0)
#|         ^^^^^ unknown-attribute: module `triton.language` has no attribute `fmaxf`
#|   note: kernels have `tl.maximum`
#|   fix: write `tl.maximum` | tl.maximum
    d = tanhf(x)
#|      ^^^^^ undefined-name: `tanhf` is not defined
#|   note: kernels have `libdevice.tanh`: `from triton.language.extra import libdevice`
    __syncthreads()
#|  ^^^^^^^^^^^^^ undefined-name: `__syncthreads` is a function of CUDA: Triton itself synchronizes the threads of a program where blocks are exchanged between them
#|   note: leave the call out
#|   fix: leave out `__syncthreads`
    tl.store(out_ptr + offset, x, mask=mask)
#|                     ^^^^^^ undefined-name: `offset` is not defined
#|   note: did you mean `offs`?
#|   fix: write `offs` | offs
    tl.store(out_ptr + offs, unknown(x), mask=mask)
#|                           ^^^^^^^ undefined-name: `unknown` is not defined
