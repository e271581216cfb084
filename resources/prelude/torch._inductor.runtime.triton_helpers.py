# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
#
# What kernels that PyTorch's compiler generates call besides `tl`, for files that are opened where
# PyTorch is not. NaNs win over numbers in its maxima and minima, and divisions of integers round
# down as Python's do.

import triton
import triton.language as tl
from triton.language import math
from triton.language.extra import libdevice


@triton.jit
def promote_to_tensor(x):
    """x as a block of one element, or as the block that it is."""
    return x + tl.zeros([1], tl.int1)


@triton.constexpr_function
def _is_floating(dtype):
    return dtype.is_floating()


@triton.jit
def is_floating(x):
    """Whether x holds floating-point numbers."""
    return _is_floating(promote_to_tensor(x).dtype)


@triton.jit
def div_floor_integer(a, b):
    """The quotient of integers, rounded down."""
    quotient = a // b
    is_low = (a < 0) != (b < 0)
    return tl.where(is_low & (a % b != 0), quotient - 1, quotient)


@triton.jit
def remainder_integer(a, b):
    """The remainder of integers, with the sign of b."""
    remainder = a % b
    return tl.where((remainder != 0) & ((remainder < 0) != (b < 0)), remainder + b, remainder)


@triton.jit
def _is_nan(x):
    if is_floating(x):
        return x != x
    else:
        return False


@triton.jit
def minimum(a, b):
    """The smaller one; NaN when a is NaN or b is."""
    return tl.where((a < b) | _is_nan(a), a, b)


@triton.jit
def maximum(a, b):
    """The larger one; NaN when a is NaN or b is."""
    return tl.where((a > b) | _is_nan(a), a, b)


@triton.jit
def min2(a, dim):
    """The smallest along dim."""
    return tl.reduce(a, dim, minimum)


@triton.jit
def max2(a, dim):
    """The largest along dim."""
    return tl.reduce(a, dim, maximum)


@triton.jit
def _pick(is_first, a, a_index, b, b_index):
    if is_floating(a):
        a_nan, b_nan = a != a, b != b
        is_first = (is_first | a_nan) & ~b_nan
        is_tie = (a == b) | (a_nan & b_nan)
    else:
        is_tie = a == b
    is_first = is_first | (is_tie & (a_index < b_index))
    return tl.where(is_first, a, b), tl.where(is_first, a_index, b_index)


@triton.jit
def minimum_with_index(a_value, a_index, b_value, b_index):
    """The smaller value and where it was; of equal ones, the one with the smaller index."""
    return _pick(a_value < b_value, a_value, a_index, b_value, b_index)


@triton.jit
def maximum_with_index(a_value, a_index, b_value, b_index):
    """The larger value and where it was; of equal ones, the one with the smaller index."""
    return _pick(a_value > b_value, a_value, a_index, b_value, b_index)


@triton.jit
def min_with_index(value, index, dim):
    """The smallest along dim, and its index."""
    return tl.reduce((value, index), dim, minimum_with_index)


@triton.jit
def max_with_index(value, index, dim):
    """The largest along dim, and its index."""
    return tl.reduce((value, index), dim, maximum_with_index)


@triton.jit
def _multiply(a, b):
    return a * b


@triton.jit
def prod(input, axis):
    """The product along axis."""
    return tl.reduce(input, axis, _multiply)


@triton.jit
def _either(a, b):
    return a | b


@triton.jit
def any(a, dim):
    """Whether one along dim is set."""
    return tl.reduce(a, dim, _either)


@triton.jit
def welford_reduce(value, mean, m2, weight, first_iteration):
    """Takes one more value into a running mean, sum of squared deviations, and count (Welford,
    "Note on a method for calculating corrected sums of squares and products", 1962)."""
    if first_iteration:
        return value, tl.zeros_like(m2), tl.full(weight.shape, 1, weight.dtype)
    else:
        delta = value - mean
        new_weight = weight + 1
        new_mean = mean + delta / new_weight
        return new_mean, m2 + delta * (value - new_mean), new_weight


@triton.jit
def welford_combine(mean_1, m2_1, weight_1, mean_2, m2_2, weight_2):
    """Joins two means, sums of squared deviations, and counts (Chan, Golub, LeVeque, "Updating
    formulae and a pairwise algorithm for computing sample variances", 1979)."""
    delta = mean_2 - mean_1
    weight = weight_1 + weight_2
    share = tl.where(weight == 0.0, 0.0, weight_2 / weight)
    return mean_1 + delta * share, m2_1 + m2_2 + delta * delta * weight_1 * share, weight


@triton.jit
def welford(mean, m2, weight, dim):
    """Joins means, sums of squared deviations, and counts along dim."""
    return tl.reduce((mean, m2, weight), dim, welford_combine)


@triton.jit
def exp(x, use_fast_math: tl.constexpr):
    """e to the power of x; in fast mathematics by way of powers of two."""
    if use_fast_math:
        return tl.exp2(x * 1.4426950408889634)
    else:
        return tl.exp(x)


@triton.jit
def _shift(top):
    # Nothing was seen yet where the top is -inf: a difference of infinities would be NaN.
    return tl.where(top == float("-inf"), 0.0, top)


@triton.jit
def online_softmax_combine(lhs_max, lhs_sum, rhs_max, use_fast_math: tl.constexpr):
    """Takes one more score into a running maximum and sum of exponentials."""
    top = maximum(lhs_max, rhs_max)
    scaled = lhs_sum * exp(lhs_max - _shift(top), use_fast_math)
    return top, scaled + exp(rhs_max - _shift(top), use_fast_math)


@triton.jit
def online_softmax_reduce(lhs_max, lhs_sum, dim, use_fast_math: tl.constexpr):
    """Joins running maxima and sums of exponentials along dim."""
    top = max2(lhs_max, dim)
    column = tl.expand_dims(_shift(top), dim)
    return top, tl.sum(lhs_sum * exp(lhs_max - column, use_fast_math), dim)


@triton.jit
def select_one(x, mask, dim, keep_dims=False):
    """Of the elements along dim, the only one that mask selects."""
    bits = x.to(tl.get_int_dtype(x.dtype.primitive_bitwidth, signed=False), bitcast=True)
    chosen = tl.sum(bits * mask, dim, keep_dims=keep_dims, dtype=bits.dtype)
    return chosen.to(x.dtype, bitcast=True)


@triton.jit
def randint64(seed, offset, low, high):
    """Random integers of 64 bits from low up to, but without, high."""
    r0, r1, _, _ = tl.randint4x(seed, offset)
    word = r0.to(tl.uint32, bitcast=True).to(tl.uint64) | (r1.to(tl.uint32, bitcast=True).to(tl.uint64) << 32)
    return (word % (high - low).to(tl.uint64)).to(tl.int64) + low


@triton.jit
def device_assert_then(cond, msg, r):
    """r, where cond must hold."""
    tl.device_assert(cond, msg)
    return r


@triton.jit
def constexpr_next_power_of_2(n: tl.constexpr):
    """The smallest power of two that is not below n."""
    return triton.next_power_of_2(n)
