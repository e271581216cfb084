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
# y_ptr = { dtype = "fp32", shape = [256] }
#| @3-8 run-undefined: `y_ptr` was never written
# z_ptr = { dtype = "fp32", shape = [256] }
# n = 0
# m = 256
# [constexprs]
# B = 64
# ///


@triton.jit
def k(x_ptr, y_ptr, z_ptr, n, m, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < n
    x = tl.load(x_ptr + i, mask=i < m)
    tl.store(y_ptr + i, x * 2, mask=mask)
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-undefined: the mask of this `tl.store` was false for every element of every program: it wrote nothing to `y_ptr`
#|   note: `mask` is `i < n`; in this launch, `n` is 0
    # It is said of each, though something else writes `z_ptr`.
    tl.store(z_ptr + i, x, mask=i < m)
    tl.store(z_ptr + i, x, mask=i > m)
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-undefined: the mask of this `tl.store` was false for every element of every program: it wrote nothing to `z_ptr`
#|   note: the mask is `i > m`; in this launch, `m` is 256
