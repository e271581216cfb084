# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Philox-4x32-10 (Salmon et al., SC 2011) in NumPy, and what kernels make of it."""

import numpy as np


def philox(seed, counters, rounds=10):
    """All four outputs for 32-bit counters."""
    low = np.uint64(0xFFFFFFFF)
    c = [np.asarray(counters).astype(np.uint64) & low] + [np.zeros(np.shape(counters), np.uint64)] * 3
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for _ in range(rounds):
        first, second = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(second >> np.uint64(32)) ^ c[1] ^ key[0], second & low, (first >> np.uint64(32)) ^ c[3] ^ key[1], first & low]
        key = [(key[0] + np.uint64(0x9E3779B9)) & low, (key[1] + np.uint64(0xBB67AE85)) & low]
    return [word.astype(np.uint32) for word in c]


def as_uniform(bits):
    """Of 32 bits, a number of [0, 1)."""
    signed = bits.view(np.int32)
    return np.where(signed < 0, ~signed, signed).astype(np.float32) * np.float32(4.6566127342e-10)


def uniform(seed, counters):
    return as_uniform(philox(seed, counters)[0])


def normal(seed, counters):
    """By Box and Muller."""
    first, second = (as_uniform(word).astype(np.float64) for word in philox(seed, counters)[:2])
    return np.sqrt(-2 * np.log(np.maximum(first, 1e-7))) * np.cos(6.283185307179586 * second)
