# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Python's conversions, and those of libraries of the host.
import numpy as np
import triton
import triton.language as tl


#| set signature x=*fp32
#| set signature counts=*i32
@triton.jit
def k(x, counts, bins):
    v = tl.load(x + tl.arange(0, 64))
    a = int(v)
#|          ^ not-constexpr: Python's `int` runs at compile time and needs constexprs, got fp32[64]
#|   note: kernels convert a value with `v.to(tl.int32)`
#|   fix: | v.to(tl.int32)
    b = int(v * bins)
#|          ^~ not-constexpr: got fp32[64]
#|   note: kernels convert a value with `(v * bins).to(tl.int32)`
#|   fix: | (v * bins).to(tl.int32)
    # Counts that are lost are lost whether or not the index has an error.
    counts[b] += 1
#|  ^~ unsupported-syntax: update its elements with `tl.atomic_add(counts + b, 1)`
#|   note: only one of their updates is left
#|   fix: | tl.atomic_add(counts + b, 1)
    c = float(bins)
#|            ^~ not-constexpr: got fp32
#|   note: kernels convert a value with `bins.to(tl.float32)`
#|   fix: | bins.to(tl.float32)
    d = (v * bins).astype(np.int32)
#|                 ^~ unknown-attribute: has no attribute `astype`
#|   note: kernels write `(v * bins).to(tl.int32)`
#|   fix: | (v * bins).to(tl.int32)
#|                        ^~ import-not-found: `numpy.int32` cannot be used in a kernel
