# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
#
# Access to slices of different lengths in one tensor. The descriptor that the host makes has two
# dimensions in front, whose strides cancel each other modulo 2^64: one index leads to the slice's end,
# the other counts from there, and what lies outside the slice is outside the descriptor.

import triton
import triton.language as tl

_ORIGIN = tl.constexpr(1 << 30)


@triton.jit
def to_ragged_indices(slice_off, slice_size, row):
    """The three indices of a row of the slice that begins at slice_off."""
    return _ORIGIN, slice_off + slice_size, _ORIGIN - slice_size + row


@triton.jit
def _coordinates(descriptor, slice_off, slice_size, coords, ragged_dim: tl.constexpr):
    tl.static_assert(
        len(descriptor.shape) == len(coords) + 2, "a ragged descriptor has two more dimensions than its tensor"
    )
    origin, end, row = to_ragged_indices(slice_off, slice_size, coords[ragged_dim])
    return [origin, end] + coords[:ragged_dim] + [row] + coords[ragged_dim + 1:]


@triton.jit
def load_ragged(TMA, slice_off, slice_size, coords, ragged_dim: tl.constexpr = 0):
    """The block at coords of the slice; zero beyond its end."""
    data = TMA.load(_coordinates(TMA, slice_off, slice_size, coords, ragged_dim))
    return tl.reshape(data, data.shape[2:])


@triton.jit
def store_ragged(TMA, slice_off, slice_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Writes data at coords of the slice, up to its end."""
    data = tl.reshape(data, [1, 1] + data.shape)
    TMA.store(_coordinates(TMA, slice_off, slice_size, coords, ragged_dim), data)


@triton.jit
def atomic_add_ragged(TMA, slice_off, slice_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Adds data at coords of the slice, up to its end."""
    data = tl.reshape(data, [1, 1] + data.shape)
    TMA.atomic_add(_coordinates(TMA, slice_off, slice_size, coords, ragged_dim), data)
