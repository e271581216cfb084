# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The grid uses the key whose name the kernel does not have: both are renamed.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK_SIZE)"]
# [sizes]
# n = 64
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# BLOCK_SIZE = 64
#|^^^^^^^^^^ signature-invalid: the kernel has no `BLOCK_SIZE`: its constexpr is called `BLOCK`
#|   fix: write `BLOCK`
#|   fix: # grid = ["cdiv(n, BLOCK)"]
#|   fix: # BLOCK = 64
# ///


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 1.0, mask=i < n)
