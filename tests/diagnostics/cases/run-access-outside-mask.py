# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# One mask lets three accesses past the end: that is one mistake.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "add"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets <= n
    x = tl.load(x_ptr + offsets, mask=mask)
#|      ^~ run-access-outside: program 3 reads `x_ptr[1000]`, past its last element 999; `offsets <= n` is true for `n` itself
#|   from: program 3 reads `y_ptr[1000]`
#|   from: program 3 writes `out_ptr[1000]`
#|   fix: compare with `<` | <
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
