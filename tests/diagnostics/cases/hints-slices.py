# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Slices of an array and items from its end, as on the host.
import triton
import triton.language as tl


@triton.jit
def values(src, dst, n, m, B: tl.constexpr):
    p = tl.program_id(0) * B
    v = src[p:p+B]
#|      ^^^^^^^^^^ bad-argument: load its elements with `tl.load(src + p + tl.arange(0, B))`
#|   fix: write `tl.load(src + p + tl.arange(0, B))`
    dst[p:p+B] = p * 2
#|  ^^^^^^^^^^ unsupported-syntax: store its elements with `tl.store(dst + p + tl.arange(0, B), p * 2)`
#|   fix: write `tl.store(dst + p + tl.arange(0, B), p * 2)`
    a = src[0:4]
#|      ^^^^^^^^ bad-argument: load its elements with `tl.load(src + tl.arange(0, 4))`
#|   fix: write `tl.load(src + tl.arange(0, 4))`
    b = src[4:12]
#|      ^^^^^^^^^ bad-argument: load its elements with `tl.load(src + 4 + tl.arange(0, 8))`
    c = src[p:]
#|      ^^^^^^^ bad-argument: load its elements with `tl.load(src + p + tl.arange(0, B))`
    d = src[-1]
#|      ^^^^^^^ bad-argument: load its elements with `tl.load(src + n - 1)`
#|   note: a kernel has no negative indices: the last of `n` elements is number `n - 1`
#|   fix: write `tl.load(src + n - 1)`
    dst[-2] = p
#|  ^^^^^^^ unsupported-syntax: store its elements with `tl.store(dst + n - 2, p)`
