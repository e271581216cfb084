# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


match x:
    case +:
#|       ^ syntax-invalid-pattern: expected pattern, found `+`
        pass


@triton.jit
def k(p):
    tl.store(p, 1.0)
