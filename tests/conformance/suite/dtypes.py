# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Element types in plain NumPy: what their bits mean, how numbers are rounded to them, their edge values.

Values of a type that NumPy has are arrays of that type; bf16 and the 8-bit floats are float32 arrays that
hold only numbers of the type.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Dtype:
    name: str
    language: str
    kind: str  # "b" bool, "i" signed, "u" unsigned, "f" float
    bits: int
    mantissa: int = 0
    bias: int = 0
    special: str = ""  # of 8-bit floats: "ieee" (infinities, NaNs), "nan" (one NaN), "none"

    @property
    def native(self):
        """NumPy has this type."""
        return self.kind != "f" or self.name in ("fp16", "fp32", "fp64")

    @property
    def storage(self):
        """The NumPy type of its bits in memory."""
        if self.kind == "b":
            return np.dtype(np.bool_)
        if self.native:
            return np.dtype({"i": "i", "u": "u", "f": "f"}[self.kind] + str(self.bits // 8))
        return np.dtype(f"u{self.bits // 8}")

    @property
    def values(self):
        return self.storage if self.native else np.dtype(np.float32)

    @property
    def file(self):
        """The type in a `.npy` file: types that NumPy lacks are a field of raw bits named after them."""
        return self.storage if self.native else np.dtype([(self.name, self.storage)])

    @property
    def largest(self):
        if self.native:
            return float(np.finfo(self.storage).max)
        return float(np.nanmax(np.where(np.isinf(table(self)), np.nan, table(self))))


I1 = Dtype("i1", "tl.int1", "b", 8)
INTS = [Dtype(f"i{b}", f"tl.int{b}", "i", b) for b in (8, 16, 32, 64)]
UINTS = [Dtype(f"u{b}", f"tl.uint{b}", "u", b) for b in (8, 16, 32, 64)]
I8, I16, I32, I64 = INTS
U8, U16, U32, U64 = UINTS
FP16 = Dtype("fp16", "tl.float16", "f", 16, 10, 15, "ieee")
BF16 = Dtype("bf16", "tl.bfloat16", "f", 16, 7, 127, "ieee")
FP32 = Dtype("fp32", "tl.float32", "f", 32, 23, 127, "ieee")
FP64 = Dtype("fp64", "tl.float64", "f", 64, 52, 1023, "ieee")
FP8E5 = Dtype("fp8e5", "tl.float8e5", "f", 8, 2, 15, "ieee")
FP8E4NV = Dtype("fp8e4nv", "tl.float8e4nv", "f", 8, 3, 7, "nan")
FP8E4B15 = Dtype("fp8e4b15", "tl.float8e4b15", "f", 8, 3, 15, "none")
FLOATS = [FP16, BF16, FP32, FP64]
FP8S = [FP8E5, FP8E4NV]
NUMBERS = INTS + UINTS + FLOATS

_tables = {}


def table(dtype):
    """The number of every bit pattern of a type of at most 16 bits."""
    if dtype.name not in _tables:
        bits = np.arange(1 << dtype.bits, dtype=np.int64)
        fraction = bits & ((1 << dtype.mantissa) - 1)
        field_bits = dtype.bits - 1 - dtype.mantissa
        field = (bits >> dtype.mantissa) & ((1 << field_bits) - 1)
        normal = np.ldexp(1 + fraction / (1 << dtype.mantissa), field - dtype.bias)
        denormal = np.ldexp(fraction / (1 << dtype.mantissa), np.full_like(bits, 1 - dtype.bias))
        number = np.where(field == 0, denormal, normal)
        top = field == (1 << field_bits) - 1
        if dtype.special == "ieee":
            number = np.where(top, np.where(fraction == 0, np.inf, np.nan), number)
        elif dtype.special == "nan":
            number = np.where(top & (fraction == (1 << dtype.mantissa) - 1), np.nan, number)
        number = np.where(bits >> (dtype.bits - 1) != 0, -number, number)
        _tables[dtype.name] = number.astype(np.float32)
    return _tables[dtype.name]


def decode(dtype, bits):
    """The values of an array of bits as it lies in memory."""
    if dtype.native:
        return bits.view(dtype.storage) if bits.dtype != dtype.storage else bits
    return table(dtype)[bits]


def round_to(dtype, numbers, mode="rtne", saturate=None):
    """float64 numbers rounded once to the type; what is too large becomes infinite, or the largest number
    of the 8-bit types, unless `saturate` says otherwise."""
    x = np.asarray(numbers, dtype=np.float64)
    if saturate is None:
        saturate = dtype.bits == 8
    if dtype.name == "fp64":
        return x
    with np.errstate(all="ignore"):
        if dtype.native and mode == "rtne" and not saturate:
            return x.astype(dtype.storage)
        _, exponent = np.frexp(x)
        step = np.maximum(exponent - 1, 1 - dtype.bias) - dtype.mantissa
        scaled = np.ldexp(x, -step)
        rounded = np.ldexp(np.rint(scaled) if mode == "rtne" else np.trunc(scaled), step)
        rounded = np.where(np.isfinite(x), rounded, x)
        largest = dtype.largest
        over = np.abs(rounded) > largest
        if saturate or mode == "rtz":
            # Rounding toward zero never reaches infinity from a finite number.
            over &= saturate | np.isfinite(x)
            rounded = np.where(over, np.copysign(largest, x), rounded)
        else:
            rounded = np.where(over, np.copysign(np.inf, x), rounded)
    return rounded.astype(dtype.values)


def edges(dtype):
    """Bits of the values at which functions tend to be wrong."""
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype.storage)
        chosen = [0, 1, 2, 3, 5, 7, 13, 100, limits.max, limits.max - 1, limits.max // 2, limits.max // 2 + 1]
        if dtype.kind == "i":
            chosen += [-1, -2, -3, -7, -100, limits.min, limits.min + 1]
        return np.array(sorted({int(v) for v in chosen}), dtype=dtype.storage)
    if dtype.bits <= 16:
        top = 1 << (dtype.bits - 1)
        one = dtype.bias << dtype.mantissa
        magnitudes = [0, 1, 2, (1 << dtype.mantissa) - 1, 1 << dtype.mantissa, (1 << dtype.mantissa) + 1,
                      one - 1, one, one + 1, one + (1 << dtype.mantissa), one + (1 << dtype.mantissa) // 2]
        magnitudes += {"ieee": [infinity(dtype) - 1, infinity(dtype), infinity(dtype) + (1 << dtype.mantissa) // 2],
                       "nan": [top - 2, top - 1], "none": [top - 2]}[dtype.special]
        if dtype.bits == 8:
            magnitudes = [m for m in magnitudes if m < top]
        bits = magnitudes + [m | top for m in magnitudes]
        if dtype.special != "nan" and dtype.special != "none":
            # A NaN's sign means nothing.
            bits = bits[:-1]
        unsigned = np.array(sorted(set(bits)), dtype=f"u{dtype.bits // 8}")
        return unsigned.view(dtype.storage)
    info = np.finfo(dtype.storage)
    tiny = info.smallest_subnormal
    numbers = [0.0, tiny, info.tiny - tiny, info.tiny, 1 - info.epsneg, 1.0, 1 + info.eps, 0.5, 1.5, 2.0, 2.5,
               1e-3, 10.75, 12345.678, 2.0**31, info.max, np.inf]
    return np.array(numbers + [-v for v in numbers] + [np.nan], dtype=dtype.storage)


def infinity(dtype):
    """The bits of infinity."""
    return ((1 << (dtype.bits - 1 - dtype.mantissa)) - 1) << dtype.mantissa


def from_numbers(dtype, numbers):
    """The bits of numbers after rounding to the type."""
    if dtype.native:
        if dtype.kind == "f":
            return np.asarray(numbers, dtype=np.float64).astype(dtype.storage)
        return np.asarray(numbers).astype(dtype.storage)
    rounded = round_to(dtype, numbers)
    all_numbers = table(dtype)
    usable = np.flatnonzero(~np.isnan(all_numbers))
    order = usable[np.lexsort((usable >> (dtype.bits - 1) == 0, all_numbers[usable]))]
    sorted_numbers = all_numbers[order]
    at = np.searchsorted(sorted_numbers, rounded)
    # Minus zero lies before zero; both compare equal to either.
    at = np.where((rounded == 0) & ~np.signbit(rounded), np.searchsorted(sorted_numbers, 0.0, side="right") - 1, at)
    bits = order[np.clip(at, 0, len(order) - 1)]
    nan = infinity(dtype) | 1 if dtype.special == "ieee" else (1 << (dtype.bits - 1)) - 1
    return np.where(np.isnan(rounded), nan, bits).astype(dtype.storage)
