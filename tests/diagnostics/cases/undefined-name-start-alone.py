# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What `+=` and its like need to begin with.
import triton
import triton.language as tl


@triton.jit
def alone(x, out, i):
    sum_of_all += tl.load(x + i)
#|  ^^^^^^^^^^ undefined-name: `sum_of_all` has no value before `+=`: `sum_of_all = 0.0`
