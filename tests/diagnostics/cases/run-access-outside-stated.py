# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The end of an array that the launch block states by its sizes.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, B)"]
# [sizes]
# n = 100
# [args]
# rgb = { dtype = "fp32", shape = ["n", 3], init = "randn" }
# bits = { dtype = "i8", shape = ["n // 2"], init = "randint" }
# out = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# B = 64
# ///


@triton.jit
def k(rgb, bits, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    r = tl.load(rgb + 3 * i)
#|      ^~ run-access-outside: add `mask=3 * i < n * 3`
#|   fix: | , mask=3 * i < n * 3
    b = tl.load(bits + i // 2)
#|      ^~ run-access-outside: add `mask=i // 2 < n // 2
#|   fix: | , mask=i // 2 < n // 2
    tl.store(out + i, r * b, mask=i < n)
