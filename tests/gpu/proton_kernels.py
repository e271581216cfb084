# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernels of the examples with Proton's scopes around their operations; see proton_gpu.py."""

import triton
import triton.language as tl
import triton.profiler.language as pl


@triton.jit
def softmax(out_ptr, in_ptr, in_stride, out_stride, n_cols, BLOCK: tl.constexpr):
    # What a scope of nothing takes is in each of the others, too.
    with pl.scope("empty"):
        pass
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    with pl.scope("load"):
        scores = tl.load(in_ptr + row * in_stride + columns, mask=mask, other=-float("inf"))
    with pl.scope("maximum"):
        largest = tl.max(scores, axis=0)
    weights = tl.exp(scores - largest)
    with pl.scope("sum"):
        total = tl.sum(weights, axis=0)
    result = weights / total
    with pl.scope("store"):
        tl.store(out_ptr + row * out_stride + columns, result, mask=mask)


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    with pl.scope("empty"):
        pass
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    with pl.scope("loads"):
        x = tl.load(x_ptr + offsets, mask=mask)
        y = tl.load(y_ptr + offsets, mask=mask)
    with pl.scope("arrival"):
        total = x + y
    with pl.scope("store"):
        tl.store(out_ptr + offsets, total, mask=mask)
