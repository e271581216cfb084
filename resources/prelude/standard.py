# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
#
# The part of `tl` that is written in the kernel language: small conveniences, reductions, scans.
# Functions without a leading underscore are members of `tl`.

import triton
import triton.language as tl


@triton.jit
def cdiv(x, div):
    """Quotient of x and div, rounded up."""
    return (x + (div - 1)) // div


@triton.jit
def zeros(shape, dtype):
    """A block of zeros."""
    return tl.full(shape, 0, dtype)


@triton.jit
def zeros_like(input):
    """A block of zeros with the shape and type of input."""
    return zeros(input.shape, input.dtype)


@triton.jit
def sigmoid(x):
    """1 / (1 + exp(-x)), element by element."""
    return 1 / (1 + tl.exp(-x))


@triton.jit
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    """exp(x) over its sum along dim, safe against overflow."""
    axis: tl.constexpr = 0 if dim is None else dim
    weights = tl.exp(x - max(x, axis, keep_dims=keep_dims))
    return tl.fdiv(weights, sum(weights, axis, keep_dims=keep_dims), ieee_rounding)


@triton.jit
def ravel(x, can_reorder=False):
    """All elements of x as a block of rank one."""
    return tl.reshape(x, [x.numel], can_reorder=can_reorder)


@triton.jit
def swizzle2d(i, j, size_i, size_j, size_g):
    """Renumbers row-major tile indices so that bands of size_g rows are walked column by column."""
    linear = i * size_j + j
    band_size = size_g * size_j
    band = linear // band_size
    first_row = band * size_g
    # The last band may be lower than the others.
    height = tl.minimum(size_i - first_row, size_g)
    within = linear % band_size
    return first_row + within % height, within // height


@triton.jit
def interleave(a, b):
    """a0, b0, a1, b1, ... along the last dimension."""
    pairs = tl.join(a, b)
    if len(pairs.shape) == 1:
        return pairs
    else:
        return tl.reshape(pairs, pairs.shape[:-2] + [2 * pairs.shape[-2]])


# Reductions


@triton.constexpr_function
def _sum_type(dtype, requested):
    if requested is not None:
        return requested
    if dtype.is_int() and dtype.primitive_bitwidth < 32:
        return tl.int32 if dtype.is_int_signed() else tl.uint32
    return dtype


@triton.jit
def _sum_combine(a, b):
    return a + b


@triton.jit
def _prod_combine(a, b):
    return a * b


@triton.jit
def _xor_combine(a, b):
    return a ^ b


@triton.jit
def _or_combine(a, b):
    return a | b


@triton.jit
def _elementwise_max(a, b):
    return tl.maximum(a, b)


@triton.jit
def _elementwise_min(a, b):
    return tl.minimum(a, b)


@triton.jit
def _argmax_combine_tie_break_left(value1, index1, value2, index2):
    first = value1 > value2 or (value1 == value2 and index1 < index2)
    return tl.where(first, value1, value2), tl.where(first, index1, index2)


@triton.jit
def _argmax_combine_tie_break_fast(value1, index1, value2, index2):
    first = value1 > value2
    return tl.where(first, value1, value2), tl.where(first, index1, index2)


@triton.jit
def _argmin_combine_tie_break_left(value1, index1, value2, index2):
    first = value1 < value2 or (value1 == value2 and index1 < index2)
    return tl.where(first, value1, value2), tl.where(first, index1, index2)


@triton.jit
def _argmin_combine_tie_break_fast(value1, index1, value2, index2):
    first = value1 < value2
    return tl.where(first, value1, value2), tl.where(first, index1, index2)


@triton.jit
def _widen_bfloat16(x):
    if x.dtype == tl.bfloat16:
        return x.to(tl.float32)
    else:
        return x


@triton.jit
def _widen_to_32_bits(x):
    if x.dtype.primitive_bitwidth < 32:
        if x.dtype.is_floating():
            return x.to(tl.float32)
        else:
            return x.to(tl.int32)
    else:
        return x


@triton.jit
def _with_indices(input, axis, combine, keep_dims):
    tl.static_assert(axis is not None, "an index is along an axis: state it, as `axis=0` does")
    rank: tl.constexpr = len(input.shape)
    # An axis that the block lacks is for the reduction to refuse.
    known: tl.constexpr = -rank <= axis and axis < rank
    dim: tl.constexpr = (axis + rank if axis < 0 else axis) if known else 0
    index = tl.arange(0, input.shape[dim])
    if rank > 1:
        index = tl.expand_dims(index, [d for d in range(rank) if d != dim])
        index = tl.broadcast_to(index, input.shape)
    return tl.reduce((input, index), axis, combine, keep_dims=keep_dims)


@triton.jit
def sum(input, axis=None, keep_dims=False, dtype: tl.constexpr = None):
    """Sum along axis, or of all elements. Integers narrower than 32 bits are widened first."""
    return tl.reduce(input.to(_sum_type(input.dtype, dtype)), axis, _sum_combine, keep_dims=keep_dims)


@triton.jit
def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    """Maximum along axis, or of all elements; NaNs are skipped."""
    input = _widen_bfloat16(input)
    if return_indices:
        if return_indices_tie_break_left:
            return _with_indices(input, axis, _argmax_combine_tie_break_left, keep_dims)
        else:
            return _with_indices(input, axis, _argmax_combine_tie_break_fast, keep_dims)
    else:
        return tl.reduce(_widen_to_32_bits(input), axis, _elementwise_max, keep_dims=keep_dims)


@triton.jit
def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    """Minimum along axis, or of all elements; NaNs are skipped."""
    input = _widen_bfloat16(input)
    if return_indices:
        if return_indices_tie_break_left:
            return _with_indices(input, axis, _argmin_combine_tie_break_left, keep_dims)
        else:
            return _with_indices(input, axis, _argmin_combine_tie_break_fast, keep_dims)
    else:
        return tl.reduce(_widen_to_32_bits(input), axis, _elementwise_min, keep_dims=keep_dims)


@triton.jit
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    """Index of the maximum along axis."""
    (_, index) = max(
        input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims
    )
    return index


@triton.jit
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    """Index of the minimum along axis."""
    (_, index) = min(
        input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims
    )
    return index


@triton.jit
def xor_sum(input, axis=None, keep_dims=False):
    """Exclusive or of all elements along axis."""
    tl.static_assert(input.dtype.is_int(), "xor_sum only supported for integers")
    return tl.reduce(input, axis, _xor_combine, keep_dims=keep_dims)


@triton.jit
def reduce_or(input, axis, keep_dims=False):
    """Inclusive or of all elements along axis."""
    tl.static_assert(input.dtype.is_int(), "reduce_or only supported for integers")
    return tl.reduce(input, axis, _or_combine, keep_dims=keep_dims)


# Scans


@triton.jit
def cumsum(input, axis=0, reverse=False, dtype: tl.constexpr = None):
    """Running sum along axis."""
    input = _widen_bfloat16(input)
    return tl.associative_scan(input.to(_sum_type(input.dtype, dtype)), axis, _sum_combine, reverse)


@triton.jit
def cumprod(input, axis=0, reverse=False):
    """Running product along axis."""
    return tl.associative_scan(_widen_bfloat16(input), axis, _prod_combine, reverse)
