# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = "ÿ"
#|   ^~ syntax-invalid-encoding: the source is not valid UTF-8


@triton.jit
def k(p):
    tl.store(p, 1.0)
