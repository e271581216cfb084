# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


x = "abc
#|  ^~ syntax-unterminated-string: string is not closed before the end of the line


@triton.jit
def k(p):
    tl.store(p, 1.0)
