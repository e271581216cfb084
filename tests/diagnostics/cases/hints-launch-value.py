# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A value that does not fit is written in the launch block.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [64] }
# [constexprs]
# B = 1.0
# ///


@triton.jit
def k(x_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
#|                   ^ bad-argument: argument `end` of `arange` must be an integer, got constexpr float = 1.0
#|   from: `B` gets its value here
    tl.store(x_ptr + i, 1.0)
