# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Words of other libraries in a launch block.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["n / BLOCK"]
#|        ^^^^^^^^^^^ launch-block-invalid: a grid extent must be an integer, found `3.90625`
#|   note: `cdiv(n, BLOCK)` rounds up
#|   fix: write `"cdiv(n, BLOCK)"` | "cdiv(n, BLOCK)"
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "torch.float32", shape = ["n"], init = "random" }
#|                  ^^^^^^^^^^^^^^^ launch-block-invalid: `torch.float32` is not an element type
#|   note: did you mean `"fp32"`? element types are
#|   fix: write `"fp32"` | "fp32"
#|                                                         ^^^^^^^^ launch-block-invalid: `random` is not a kind of initial data
#|   note: did you mean `"randn"`? kinds are empty
#|   fix: write `"randn"` | "randn"
# y_ptr = { dtype = "half", shape = ["n"], expect = "x_ptr" }
#|                  ^^^^^^ launch-block-invalid: `half` is not an element type
#|   fix: write `"fp16"` | "fp16"
#|                                         ^^^^^^ launch-block-invalid: unknown key `expect`
#|   fix: write `expected`
# n = "n"
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
