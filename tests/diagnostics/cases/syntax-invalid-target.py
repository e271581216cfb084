# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


f() = 1
#| @1-4 syntax-invalid-target: cannot assign to a function call


@triton.jit
def k(p):
    tl.store(p, 1.0)
