# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# With this import, annotations are texts that nothing evaluates.
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def k(x_ptr, BLOCK: constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, missing)
#|                      ^^^^^^^ undefined-name: `missing` is not defined
