# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| no-kernel: this file has no kernel
def helper(n):
    return n + 1


def other(n):
    return n + 2
