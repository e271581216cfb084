# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A kernel as for threads: pointers are indexed in whichever branch, so that both errors are told.
import triton
import triton.language as tl


#| set constexpr BLOCK=64
@triton.jit
def add(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = blockIdx.x * blockDim.x + threadIdx.x
#|      ^^^^^^^^ undefined-name: `blockIdx` is CUDA's: a kernel has no threads, and each of its programs works on a block of elements, `tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)`
#|   fix: write `tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)`
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if offs < n:
#|     ^^^^^^^^ ambiguous-condition: answers at once
        x = x_ptr[offs]
#|          ^^^^^^^^^^^ bad-argument: `x_ptr` is a pointer and cannot be indexed: load its elements with `tl.load(x_ptr + offs)`
#|   fix: write `tl.load(x_ptr + offs)`
        out_ptr[offs] = x
#|      ^^^^^^^^^^^^^ unsupported-syntax: `out_ptr` is a pointer and cannot be indexed: store its elements with `tl.store(out_ptr + offs, x)`
#|   fix: write `tl.store(out_ptr + offs, x)`
