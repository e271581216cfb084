# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A function of NumPy in a kernel.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "exp(x_ptr)" }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    x = np.exp(x)
#|      ^^ undefined-name: `np` is not defined
#|   note: kernels cannot use NumPy: it runs on the CPU, outside of kernels
#|   note: kernels have `tl.exp`
#|   fix: write `tl.exp` | tl.exp
    tl.store(out_ptr + i, x, mask=i < n)
