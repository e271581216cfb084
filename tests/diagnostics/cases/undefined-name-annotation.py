# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, alpha: torch.float32, beta: float, gamma: Scale, BLOCK: tl.constexpr = 64):
#|                      ^^^^^ undefined-name: `torch` is not defined: Python evaluates annotations
#|   fix: add `import torch`
#|                                                         ^^^^^ undefined-name: `Scale` is not defined
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, alpha * tl.load(x_ptr + i) + beta + gamma)
