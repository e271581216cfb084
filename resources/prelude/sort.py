# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
#
# Sorting and reversing inside a block. A block of 2^k elements is seen as a cube with k sides of
# length 2; exchanging neighbours along a side is then an exclusive or over that side.

import triton
import triton.language as tl


@triton.constexpr_function
def _log2(n):
    steps = 0
    while n > 1:
        n = n // 2
        steps = steps + 1
    return steps


@triton.constexpr_function
def _cube(numel):
    return [2] * _log2(numel)


@triton.constexpr_function
def _integer_of_width(bits):
    if bits == 64:
        return tl.int64
    if bits == 32:
        return tl.int32
    if bits == 16:
        return tl.int16
    return tl.int8 if bits == 8 else tl.int1


@triton.jit
def _swap_sides(cube, dim: tl.constexpr):
    # x ^ (x ^ y) = y: every element becomes its partner along dim.
    bits = cube.to(_integer_of_width(cube.dtype.primitive_bitwidth), bitcast=True)
    partner = bits ^ tl.xor_sum(bits, dim, True)
    return partner.to(cube.dtype, bitcast=True)


@triton.jit
def _side_number(n_dims: tl.constexpr, side: tl.constexpr):
    # 0 on the left half of dimension side, 1 on the right half.
    return tl.reshape(tl.arange(0, 2), [1] * side + [2] + [1] * (n_dims - side - 1))


@triton.jit
def _compare_and_swap(cube, descending, bit: tl.constexpr):
    n_dims: tl.constexpr = len(cube.shape)
    # Bit 0 is the innermost side.
    side: tl.constexpr = n_dims - 1 - bit
    partner = _swap_sides(cube, side)
    is_right = _side_number(n_dims, side)
    take = (cube > partner) != (descending ^ is_right).to(tl.int1)
    return tl.where(take, partner, cube)


@triton.jit
def _merge_stage(cube, stage: tl.constexpr, order: tl.constexpr):
    # order: False ascending, True descending, 2 alternating so that runs form a bitonic sequence.
    if order == 2:
        n_dims: tl.constexpr = len(cube.shape)
        descending = _side_number(n_dims, n_dims - 1 - stage)
    else:
        descending = order
    for i in tl.static_range(stage):
        cube = _compare_and_swap(cube, descending, stage - 1 - i)
    return cube


@triton.jit
def _check_last_dim(x, dim):
    if dim is not None:
        tl.static_assert(tl._dimension(x, dim) == len(x.shape) - 1, "only the last dimension can be sorted")


@triton.jit
def sort(x, dim=None, descending=tl.constexpr(False)):
    """Sorts along the last dimension."""
    _check_last_dim(x, dim)
    last: tl.constexpr = len(x.shape) - 1
    stages: tl.constexpr = _log2(x.shape[last])
    if stages == 0:
        return x
    else:
        cube = tl.reshape(x, _cube(x.numel))
        for stage in tl.static_range(1, stages + 1):
            cube = _merge_stage(cube, stage, 2 if stage < stages else descending)
        return tl.reshape(cube, x.shape)


@triton.jit
def bitonic_merge(x, dim=None, descending=tl.constexpr(False)):
    """Sorts a bitonic sequence along the last dimension."""
    _check_last_dim(x, dim)
    last: tl.constexpr = len(x.shape) - 1
    stages: tl.constexpr = _log2(x.shape[last])
    if stages == 0:
        return x
    else:
        return tl.reshape(_merge_stage(tl.reshape(x, _cube(x.numel)), stages, descending), x.shape)


@triton.jit
def topk(x, k: tl.constexpr, dim=None, descending=tl.constexpr(True)):
    """The k largest (or smallest) elements along the last dimension, sorted."""
    _check_last_dim(x, dim)
    last: tl.constexpr = len(x.shape) - 1
    stages: tl.constexpr = _log2(x.shape[last])
    kept: tl.constexpr = _log2(k)
    tl.static_assert(k > 0 and 2**kept == k, "k must be a power of two")
    tl.static_assert(k <= x.shape[last], "k must not exceed the extent of the last dimension")
    cube = tl.reshape(x, _cube(x.numel))
    # Runs of k elements, sorted in alternating directions.
    for stage in tl.static_range(1, kept + 1):
        cube = _merge_stage(cube, stage, 2 if stage < stages else descending)
    # Of two neighbouring runs, keep the better half and sort it again.
    for step in tl.static_range(kept + 1, stages + 1):
        side: tl.constexpr = len(cube.shape) - 1 - kept
        cube = tl.max(cube, side) if descending else tl.min(cube, side)
        cube = cube.to(x.dtype)
        if kept > 0:
            cube = _merge_stage(cube, kept, 2 if step < stages else descending)
    return tl.reshape(cube, x.shape[:-1] + [k])


@triton.jit
def flip(x, dim=None):
    """Reverses the order of elements along dim (the last one by default)."""
    rank: tl.constexpr = len(x.shape)
    axis: tl.constexpr = rank - 1 if dim is None else tl._dimension(x, dim)
    steps: tl.constexpr = _log2(x.shape[axis])
    cube = tl.reshape(x, x.shape[:axis] + [2] * steps + x.shape[axis + 1 :])
    for i in tl.static_range(steps):
        cube = _swap_sides(cube, axis + i)
    return tl.reshape(cube, x.shape)
