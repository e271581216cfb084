# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# No program reads which one it is, and each adds all that it has loaded.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "total"
# grid = ["cdiv(n, BLOCK)"]
#|        ^^^^^^^^^^^^^^^^ run-launch-unfit: the kernel does not read `tl.program_id(0)`: the 4 programs along axis 0 of the grid all do the same, so that each adds the same to `out_ptr`
# [sizes]
# n = 256
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "rand" }
# out_ptr = { dtype = "fp32", shape = [1], init = "zeros" }
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    acc = 0.0
    for s in range(0, n, BLOCK):
        i = s + tl.arange(0, BLOCK)
        acc += tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0))
    tl.atomic_add(out_ptr, acc)
