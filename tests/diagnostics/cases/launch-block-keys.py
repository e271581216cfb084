# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shap = [64] }
#|                          ^^^^ launch-block-invalid: unknown key `shap`
#|   note: did you mean `shape`? keys here are dtype, shape
#|   fix: write `shape`
# [constexprs]
# B = 64
# ///


@triton.jit
def k(x_ptr, B: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, B), 1.0)
