# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


def f(a=1, b):
#|         ^ syntax-invalid-parameters: parameter without a default follows a parameter with one
    pass


@triton.jit
def k(p):
    tl.store(p, 1.0)
