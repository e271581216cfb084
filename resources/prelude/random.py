# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
#
# Random numbers from a counter-based generator, Philox 4x32 with ten rounds (Salmon et al., "Parallel
# random numbers: as easy as 1, 2, 3", 2011): the numbers are a function of the seed and of the
# element's offset, so that every program can compute its own.

import triton
import triton.language as tl


@triton.jit
def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds: tl.constexpr = 10):
    """The bare generator: four counters and two keys of 32 (or 64) bits give four numbers."""
    if c0.dtype == tl.uint32:
        KEY_STEP_0: tl.constexpr = 0x9E3779B9
        KEY_STEP_1: tl.constexpr = 0xBB67AE85
        FACTOR_0: tl.constexpr = 0xD2511F53
        FACTOR_1: tl.constexpr = 0xCD9E8D57
    else:
        tl.static_assert(c0.dtype == tl.uint64, "the counters of philox_impl must be uint32 or uint64")
        KEY_STEP_0: tl.constexpr = 0x9E3779B97F4A7C15
        KEY_STEP_1: tl.constexpr = 0xBB67AE8584CAA73B
        FACTOR_0: tl.constexpr = 0xD2E7470EE14C6C93
        FACTOR_1: tl.constexpr = 0xCA5A826395121157
    for _ in tl.static_range(n_rounds):
        previous_c0, previous_c2 = c0, c2
        c0 = tl.umulhi(FACTOR_1, previous_c2) ^ c1 ^ k0
        c2 = tl.umulhi(FACTOR_0, previous_c0) ^ c3 ^ k1
        c1 = tl.mul(previous_c2, FACTOR_1, sanitize_overflow=False)
        c3 = tl.mul(previous_c0, FACTOR_0, sanitize_overflow=False)
        k0 = tl.add(k0, KEY_STEP_0, sanitize_overflow=False)
        k1 = tl.add(k1, KEY_STEP_1, sanitize_overflow=False)
    return c0, c1, c2, c3


@triton.jit
def philox(seed, c0, c1, c2, c3, n_rounds: tl.constexpr = 10):
    """Four blocks of random numbers for four blocks of counters."""
    seed = tl.to_tensor(seed)
    tl.static_assert(seed.dtype.is_int(), "the seed must be an integer")
    c0 = tl.to_tensor(c0)
    c1 = tl.to_tensor(c1)
    c2 = tl.to_tensor(c2)
    c3 = tl.to_tensor(c3)
    seed = seed.to(tl.uint64)
    if c0.dtype.primitive_bitwidth == 32:
        word: tl.constexpr = tl.uint32
        key_high = ((seed >> 32) & 0xFFFFFFFF).to(tl.uint32)
        key_low = (seed & 0xFFFFFFFF).to(tl.uint32)
    else:
        tl.static_assert(c0.dtype.primitive_bitwidth == 64, "counters must have 32 or 64 bits")
        word: tl.constexpr = tl.uint64
        key_high = tl.full((), 0, tl.uint64)
        key_low = seed
    c0 = c0.to(word, bitcast=True)
    c1 = c1.to(word, bitcast=True)
    c2 = c2.to(word, bitcast=True)
    c3 = c3.to(word, bitcast=True)
    return philox_impl(c0, c1, c2, c3, key_low, key_high, n_rounds)


@triton.jit
def randint4x(seed, offset, n_rounds: tl.constexpr = 10):
    """Four blocks of random 32-bit integers, a function of seed and offset."""
    offset = tl.to_tensor(offset)
    zero = offset * 0
    if offset.dtype.primitive_bitwidth > 32:
        low = offset.to(tl.uint32)
        high = (offset >> 32).to(tl.uint32)
        zero = zero.to(tl.uint32)
    else:
        low = offset
        high = zero
    return philox(seed, low, high, zero, zero, n_rounds)


@triton.jit
def randint(seed, offset, n_rounds: tl.constexpr = 10):
    """A block of random 32-bit integers, a function of seed and offset."""
    first, _, _, _ = randint4x(seed, offset, n_rounds)
    return first


@triton.jit
def uint_to_uniform_float(x):
    """Maps random integers to numbers uniform in [0, 1)."""
    if tl.constexpr(x.dtype.primitive_bitwidth) == 32:
        signed = x.to(tl.int32, bitcast=True)
        scale: tl.constexpr = 4.6566127342e-10
    else:
        tl.static_assert(x.dtype.primitive_bitwidth == 64, "the integers must have 32 or 64 bits")
        signed = x.to(tl.int64, bitcast=True)
        scale: tl.constexpr = 1.0842020432385337e-19
    return tl.where(signed < 0, ~signed, signed) * scale


@triton.jit
def rand(seed, offset, n_rounds: tl.constexpr = 10):
    """A block of random numbers, uniform in [0, 1)."""
    return uint_to_uniform_float(randint(seed, offset, n_rounds))


@triton.jit
def rand4x(seed, offset, n_rounds: tl.constexpr = 10):
    """Four blocks of random numbers, uniform in [0, 1)."""
    a, b, c, d = randint4x(seed, offset, n_rounds)
    return uint_to_uniform_float(a), uint_to_uniform_float(b), uint_to_uniform_float(c), uint_to_uniform_float(d)


@triton.jit
def pair_uniform_to_normal(u1, u2):
    """Two independent uniform numbers to two independent standard normal ones (Box and Muller)."""
    # The logarithm of zero would be infinite.
    u1 = tl.maximum(1.0e-7, u1)
    angle = 6.283185307179586 * u2
    radius = tl.sqrt(-2.0 * tl.log(u1))
    return radius * tl.cos(angle), radius * tl.sin(angle)


@triton.jit
def randn(seed, offset, n_rounds: tl.constexpr = 10):
    """A block of random numbers with mean 0 and variance 1."""
    a, b, _, _ = randint4x(seed, offset, n_rounds)
    normal, _ = pair_uniform_to_normal(uint_to_uniform_float(a), uint_to_uniform_float(b))
    return normal


@triton.jit
def randn4x(seed, offset, n_rounds: tl.constexpr = 10):
    """Four blocks of random numbers with mean 0 and variance 1."""
    u1, u2, u3, u4 = rand4x(seed, offset, n_rounds)
    n1, n2 = pair_uniform_to_normal(u1, u2)
    n3, n4 = pair_uniform_to_normal(u3, u4)
    return n1, n2, n3, n4
