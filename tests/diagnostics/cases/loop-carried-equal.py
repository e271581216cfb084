# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Of constexprs that are the same number in this launch, the rows are those by which programs share them out.
import triton
import triton.language as tl


#| set constexpr D=16
#| set constexpr BM=16
#| set constexpr BN=16
@triton.jit
def k(x_ptr, y_ptr, z_ptr, n, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.arange(0, D)
    most = float("-inf")
    total = 0.0
    for j in range(n):
        x = tl.load(x_ptr + rows[:, None] * D + cols[None, :])
        most = tl.maximum(most, tl.max(x, axis=1))
#|      ^^^^ loop-carried-type: loop-carried variable
#|   fix: | tl.full([BM], float("-inf"), dtype=tl.float32)
        total += x
#|      ^^^^^ loop-carried-type: loop-carried variable
#|   fix: | tl.zeros([BM, D], dtype=tl.float32)
    tl.store(y_ptr + rows, most)
    tl.store(z_ptr + rows[:, None] * D + cols[None, :], total)
