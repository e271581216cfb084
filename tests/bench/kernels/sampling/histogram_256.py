# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Histogram of bytes in 256 bins over strips of data, added atomically once for each program."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "histogram_256"
# grid = ["cdiv(n, STRIP)"]
# [sizes]
# n = 268435456
# [args]
# x_ptr = { dtype = "u8", shape = ["n"], init = "randint", seed = 0, high = 256 }
# count_ptr = { dtype = "i32", shape = [256], init = "zeros" }
# [constexprs]
# STRIP = 65536
# BLOCK = 4096
# [options]
# num_warps = 8
# [work]
# bytes = "n"
# ///


@triton.jit
def histogram_256(x_ptr, count_ptr, n, STRIP: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0) * STRIP
    counts = tl.zeros([256], dtype=tl.int32)
    for start in range(0, STRIP, BLOCK):
        offsets = first + start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0).to(tl.int32)
        counts += tl.histogram(x, 256, mask=offsets < n)
    tl.atomic_add(count_ptr + tl.arange(0, 256), counts, sem="relaxed")
