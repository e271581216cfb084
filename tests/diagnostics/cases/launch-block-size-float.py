# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A size with an exponent is a fraction for TOML.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1e3
#|    ^^^ launch-block-invalid: a size must be a whole number, found `1000.0`
#|   fix: write `1000` | 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 1.0, mask=i < n)
