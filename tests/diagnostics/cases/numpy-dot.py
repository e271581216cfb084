# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Products of NumPy that are none of two matrices.
import numpy as np
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def k(a_ptr, x_ptr, y_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    a = tl.load(a_ptr + i[:, None] * B + i[None, :])
    s = np.dot(x, x)
#|      ^^^^^^^^^^^^ import-not-found: `numpy.dot` cannot be used in a kernel
#|   note: `tl.dot` multiplies two matrices: kernels write `tl.sum(x * x)`
#|   fix: | tl.sum(x * x)
    v = np.dot(a, x)
#|      ^^^^^^^^^^^^ import-not-found: `numpy.dot` cannot be used in a kernel
#|   fix: | tl.sum(a * x[None, :], axis=1)
    tl.store(y_ptr + i, v + s)
