# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A number is one without its type.
import numpy as np
import triton
import triton.language as tl


@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i) * np.float32(0.5))
#|                                     ^^^^^^^^^^^^^^^ import-not-found: `numpy.float32` cannot be used in a kernel: it runs on the CPU, outside of kernels
#|   fix: write `0.5` | 0.5
