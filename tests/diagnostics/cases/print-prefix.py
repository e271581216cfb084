# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What is printed before the values is a text.
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def shape(x_ptr, B: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, B))
    print(x.shape)
#|        ^^^^^^^ bad-argument: argument `prefix` of `print` must be a string, got constexpr tuple = (16,)
    tl.store(x_ptr + tl.arange(0, B), x)
