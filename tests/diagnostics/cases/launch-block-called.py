# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An argument that the launch block calls by another name.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x = { dtype = "fp32", shape = [64] }
#|^ launch-block-invalid: the kernel has no parameter `x`: it is called `x_ptr`
#|   fix: write `x_ptr`
# y_prt = { dtype = "fp32", shape = [64] }
#|^^^^^ launch-block-invalid: the kernel has no parameter `y_prt`: it is called `y_ptr`
#|   fix: write `y_ptr`
# n = 64
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
