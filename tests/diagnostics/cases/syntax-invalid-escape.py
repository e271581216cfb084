# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = "\x1"
#|  ^~ syntax-invalid-escape: truncated `\xXX` escape


@triton.jit
def k(p):
    tl.store(p, 1.0)
