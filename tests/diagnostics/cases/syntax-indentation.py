# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = 1
    y = 2
#| @1-5 syntax-indentation: unexpected indent


@triton.jit
def k(p):
    tl.store(p, 1.0)
