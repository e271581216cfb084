# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An expression without quotes.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [cdiv(n, BLOCK)]
#|        ^^^^^^^^^^^^^^ launch-block-invalid: `cdiv(n, BLOCK)` is neither a number nor a string
#|   note: a string needs quotes: `"cdiv(n, BLOCK)"`
#|   fix: write `"cdiv(n, BLOCK)"` | "cdiv(n, BLOCK)"
# [args]
# n = 3
# ///


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
