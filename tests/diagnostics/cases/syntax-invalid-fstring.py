# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = f"{a!z}"
#|       ^~ syntax-invalid-fstring: the conversion after `!` must be `s`, `r` or `a`


@triton.jit
def k(p):
    tl.store(p, 1.0)
