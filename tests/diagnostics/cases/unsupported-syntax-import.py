# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton


@triton.jit
def copy(x, y):
    i = 0
    y[i] = x[i]
#|         ^^^^ unsupported-syntax: load its elements with `tl.load(x + i)`
#|   fix: add `import triton.language as tl`
