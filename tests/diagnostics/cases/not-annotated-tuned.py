# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A tuner passes its configurations as any launch does.
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})], key=[])
@triton.jit
def k(p, BLOCK):
#|       ^^^^^ not-constexpr: `BLOCK` must be annotated with `tl.constexpr`
#|   fix: annotate `BLOCK` with `tl.constexpr`
    tl.store(p + tl.arange(0, BLOCK), 1.0)
