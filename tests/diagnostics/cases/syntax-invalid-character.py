# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = $y
#|  ^ syntax-invalid-character: unexpected character `$`


@triton.jit
def k(p):
    tl.store(p, 1.0)
