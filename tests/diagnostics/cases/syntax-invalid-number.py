# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = 0b12
#|  ^^^^ syntax-invalid-number: invalid binary literal `0b12`


@triton.jit
def k(p):
    tl.store(p, 1.0)
