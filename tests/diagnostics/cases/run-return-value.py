# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Neither function is a kernel, but one of them is launched.
import triton
import triton.language as tl


#| set do run
#| set kernel second
# /// tilescope
# grid = [1]
# [args]
# x = 2.5
# ///


@triton.jit
def first(x):
    return x * 0.5, x


@triton.jit
def second(x):
    return x + x, x
#|  ^^^^^^^^^^^^^^^ return-type: `second` returns a value, but a kernel returns nothing
#|   note: only a function that a kernel calls
