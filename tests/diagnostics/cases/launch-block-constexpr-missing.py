# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A constexpr that only the grid seems to lack has no value at all.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
#|        ^^^^^^^^^^^^^^^^ launch-block-invalid: `BLOCK` has no value: the kernel takes it as a constexpr
#|   note: write e.g. `BLOCK = 1024` under `[constexprs]`
#|   from: `BLOCK` is declared here
#|   fix: add `BLOCK` to the launch block | BLOCK = 1024
# [sizes]
# n = 64
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# ///


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 1.0, mask=i < n)
