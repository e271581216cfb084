# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What the launch block says is wrong is shown there.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [64] }
# [constexprs]
# B = 64
# BLOK = 2
#|^^^^ signature-invalid: `BLOK = 2` is not used: `k` has no such parameter
#|   fix: delete `BLOK = 2` |
# [options]
# num_wraps = 4
#|^^^^^^^^^ option-invalid: launches have no option `num_wraps`: it is ignored
#|   note: did you mean `num_warps`?
#|   fix: write `num_warps`
# ///


@triton.jit
def k(x_ptr, B: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, B), 1.0)
