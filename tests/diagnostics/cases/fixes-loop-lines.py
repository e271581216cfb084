# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A loop whose lines lost their indentation: those that surely are its own come first.
import triton
import triton.language as tl


@triton.jit
def running_max(x, y, rows, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    best = tl.full([BLOCK], float("-inf"), tl.float32)
    for k in range(0, cols, BLOCK):
    v = tl.load(x + r * cols + k + c, mask=k + c < cols, other=float("-inf"))
#|  ^ syntax-expected-block: expected an indented block after `for` on line 14
#|   fix: indent lines 15 to 16
#|   fix: indent lines 15 to 17
#|   fix: indent line 15
    best = tl.maximum(best, v)
    tl.store(y + r, tl.max(best))
