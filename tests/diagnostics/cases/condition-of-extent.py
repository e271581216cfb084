# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Nothing but the block's size is guessed: no other size makes the condition right.
import triton
import triton.language as tl


@triton.jit
def k(BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    if i < 4:
#|     ^^^^^ ambiguous-condition: use `mask=` or `tl.where`
        tl.device_print("few", i)
