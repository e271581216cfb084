# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [256], init = "arange" }
# sum_ptr = { dtype = "fp32", shape = [1], init = "zeros" }
# n = 256
# [constexprs]
# B = 64
# ///


@triton.jit
def k(x_ptr, sum_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(sum_ptr + i * 0, x, mask=i >= n)
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-undefined: the mask of this `tl.atomic_add` was false for every element of every program: it wrote nothing to `sum_ptr`
#|   note: the mask is `i >= n`; in this launch, `n` is 256
