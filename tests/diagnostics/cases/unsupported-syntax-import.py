# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton


@triton.jit
def fill(y_ptr):
    y_ptr[0] = 1.0
#|  ^^^^^^^^ unsupported-syntax: store its elements with `tl.store(
#|   fix: add `import triton.language as tl`
