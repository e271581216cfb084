# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = (1 +
#|  ^ syntax-unclosed-bracket: `(` was never closed
y = 2


@triton.jit
def k(p):
    tl.store(p, 1.0)
