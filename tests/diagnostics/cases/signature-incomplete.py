# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, FN: tl.constexpr):
#|           ^^^^^^^^^^^^^^^^ signature-incomplete: the constexpr `FN` has no value
#|   note: give it one in the launch block's `[constexprs]`
    tl.store(x_ptr, FN(1.0, 2.0).x)
