# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import numpy as np


def add(x, y):
#|  ^^^ no-kernel: `add` is a plain Python function: a kernel is decorated with `@triton.jit`
#|   fix: add `@triton.jit` and what it is imported from | import triton
    y[0] = x[0] + np.e
