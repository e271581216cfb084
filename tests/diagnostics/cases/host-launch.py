# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A script as in Triton's tutorials: its launch is not run.
import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 1.0, mask=i < n)


x = torch.empty(1000)
k[(1,)](x, 1000, BLOCK=1024)
#| @1-29 unsupported-feature: nothing outside of kernels is executed here, nor is this launch of `k`
#|   note: Run (F5) writes a launch block of guesses
print(x)
