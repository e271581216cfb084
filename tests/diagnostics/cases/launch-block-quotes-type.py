# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An element type as PyTorch has it, without quotes.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = torch.float16, shape = [64] }
#|                  ^^^^^^^^^^^^^ launch-block-invalid: `torch.float16` is neither a number nor a string
#|   note: a string needs quotes: `dtype = "fp16"`
#|   fix: write `"fp16"` | "fp16"
# n = 3
# ///


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
