// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilescope::profiler {

namespace {
/// How a floating type of at most 16 bits lays out its values.
struct SmallFloat {
  int exponentBits;
  int mantissaBits;
  int bias;
  enum class Special {
    /// The largest exponent holds infinity and NaN.
    Ieee,
    /// Only the pattern of all ones is NaN; no infinity.
    AllOnesNan,
    /// The pattern of minus zero is NaN; no infinity and no minus zero.
    MinusZeroNan,
    /// Every pattern is a number.
    None,
  } special;

  int signShift() const { return exponentBits + mantissaBits; }
  uint32_t largestFinite() const {
    uint32_t all = (1u << signShift()) - 1;
    if (special == Special::Ieee)
      return all - (1u << mantissaBits);
    return special == Special::AllOnesNan ? all - 1 : all;
  }
  uint32_t nan() const {
    if (special == Special::Ieee)
      return ((1u << exponentBits) - 1) << mantissaBits | 1u << (mantissaBits - 1);
    if (special == Special::AllOnesNan)
      return (1u << signShift()) - 1;
    return special == Special::MinusZeroNan ? 1u << signShift() : 0;
  }
};
} // namespace

static SmallFloat smallFloat(Dtype dtype) {
  using Special = SmallFloat::Special;
  switch (dtype) {
  case Dtype::Fp8e4nv:
    return {4, 3, 7, Special::AllOnesNan};
  case Dtype::Fp8e5:
    return {5, 2, 15, Special::Ieee};
  case Dtype::Fp8e4b8:
    return {4, 3, 8, Special::MinusZeroNan};
  case Dtype::Fp8e5b16:
    return {5, 2, 16, Special::MinusZeroNan};
  case Dtype::Fp8e4b15:
    return {4, 3, 15, Special::None};
  case Dtype::Bf16:
    return {8, 7, 127, Special::Ieee};
  default:
    return {5, 10, 15, Special::Ieee};
  }
}

/// 2 to this power, which is one of normal numbers: `std::ldexp` costs several times the conversion.
static double powerOfTwo(int exponent) {
  constexpr int kBias = 1023, kMantissaBits = 52;
  return std::bit_cast<double>(uint64_t(exponent + kBias) << kMantissaBits);
}

static double decode(const SmallFloat &format, uint32_t bits) {
  using Special = SmallFloat::Special;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  bool negative = bits >> format.signShift() & 1u;
  uint32_t magnitude = bits & ((1u << format.signShift()) - 1);
  uint32_t exponent = magnitude >> format.mantissaBits;
  uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  if (format.special == Special::Ieee && exponent == (1u << format.exponentBits) - 1) {
    if (mantissa)
      return kNan;
    return negative ? -std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::infinity();
  }
  if (format.special == Special::AllOnesNan && magnitude == format.nan())
    return kNan;
  if (format.special == Special::MinusZeroNan && bits == format.nan())
    return kNan;
  const uint32_t digits = exponent ? mantissa | 1u << format.mantissaBits : mantissa;
  const double value =
      double(digits) * powerOfTwo(std::max(int(exponent), 1) - format.bias - format.mantissaBits);
  return negative ? -value : value;
}

static uint32_t encode(const SmallFloat &format, double value) {
  using Special = SmallFloat::Special;
  uint32_t sign = uint32_t(std::signbit(value)) << format.signShift();
  if (std::isnan(value))
    return format.nan();
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return format.special == Special::MinusZeroNan ? 0 : sign;
  uint32_t beyond =
      format.special == Special::Ieee ? format.largestFinite() + 1 : format.largestFinite();
  if (std::isinf(value))
    return sign | beyond;
  constexpr int kBias = 1023, kMantissaBits = 52;
  const auto fields = std::bit_cast<uint64_t>(magnitude);
  const int own = int(fields >> kMantissaBits) - kBias;
  const int smallest = 1 - format.bias;
  const int exponent = std::max(own, smallest);
  // Far below the smallest number it is 0, as it is where not even the leading one is there.
  const int numDropped = kMantissaBits - format.mantissaBits + (exponent - own);
  int64_t scaled = 0;
  if (numDropped <= kMantissaBits + 1) {
    constexpr uint64_t kOne = uint64_t(1) << kMantissaBits;
    const uint64_t digits = (fields & (kOne - 1)) | kOne, unit = uint64_t(1) << numDropped;
    const uint64_t rest = digits & (unit - 1);
    scaled = int64_t(digits >> numDropped);
    // To the nearest, ties to even.
    scaled += rest > unit / 2 || (rest == unit / 2 && scaled % 2 == 1);
  }
  // The mantissa's carry runs into the exponent field on its own.
  const int64_t bits = (int64_t(exponent - smallest) << format.mantissaBits) + scaled;
  if (bits > int64_t(format.largestFinite()))
    return sign | beyond;
  if (bits == 0 && format.special == Special::MinusZeroNan)
    return 0;
  return sign | uint32_t(bits);
}

template <typename T> static T load(const std::byte *source) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  return value;
}

template <typename T> static void store(T value, std::byte *target) {
  std::memcpy(target, &value, sizeof(T));
}

template <typename T> static T saturate(double value) {
  if (std::isnan(value))
    return 0;
  if (value <= double(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  // The largest 64-bit integers are not doubles: their double is one above.
  if (value >= std::ldexp(1.0, std::numeric_limits<T>::digits))
    return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

/// `fp16` has the fields of `fp32`, shorter: shifted into place, only the bias of the exponent
/// differs, which a multiplication corrects, also for numbers below the smallest normal one.
static float halfToFloat(uint16_t bits) {
  constexpr uint32_t kInfinity = 0x7c00u << 13;
  const uint32_t magnitude = (bits & 0x7fffu) << 13;
  const uint32_t finite = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  const uint32_t result = magnitude >= kInfinity ? magnitude | 0x7f80'0000u : finite;
  return std::bit_cast<float>(result | (bits & 0x8000u) << 16);
}

double readElement(Dtype dtype, const std::byte *source) {
  switch (dtype) {
  case Dtype::Fp64:
    return load<double>(source);
  case Dtype::Fp32:
    return load<float>(source);
  case Dtype::Bf16:
    return std::bit_cast<float>(uint32_t(load<uint16_t>(source)) << 16);
  case Dtype::Fp16:
    return halfToFloat(load<uint16_t>(source));
  case Dtype::Uint64:
    return double(load<uint64_t>(source));
  default:
    if (isFloat(dtype))
      return decode(smallFloat(dtype), load<uint8_t>(source));
    return double(readInteger(dtype, source));
  }
}

/// A loop that the compiler makes vectors of.
template <typename Stored, typename ToNumber>
static void readRow(const std::byte *source, int64_t count, double *target, ToNumber toNumber) {
  for (int64_t i = 0; i < count; ++i)
    target[i] = double(toNumber(load<Stored>(source + i * int64_t(sizeof(Stored)))));
}

template <typename Stored>
static void readNumbers(const std::byte *source, int64_t count, double *target) {
  readRow<Stored>(source, count, target, [](Stored value) { return value; });
}

/// What each pattern of a floating type of eight bits stands for; made once for each type.
template <Dtype dtype> static const std::array<double, 256> &numbersOf() {
  static const auto kNumbers = [] {
    std::array<double, 256> numbers;
    for (uint32_t bits = 0; bits < numbers.size(); ++bits)
      numbers[bits] = decode(smallFloat(dtype), bits);
    return numbers;
  }();
  return kNumbers;
}

template <Dtype dtype>
static void readSmallFloats(const std::byte *source, int64_t count, double *target) {
  const std::array<double, 256> &numbers = numbersOf<dtype>();
  readRow<uint8_t>(source, count, target, [&](uint8_t bits) { return numbers[bits]; });
}

void readElements(Dtype dtype, const std::byte *source, int64_t count, double *target) {
  switch (dtype) {
  case Dtype::Fp64:
    return readNumbers<double>(source, count, target);
  case Dtype::Fp32:
    return readNumbers<float>(source, count, target);
  case Dtype::Bf16:
    return readRow<uint16_t>(source, count, target, [](uint16_t bits) {
      return std::bit_cast<float>(uint32_t(bits) << 16);
    });
  case Dtype::Fp16:
    return readRow<uint16_t>(source, count, target, halfToFloat);
  case Dtype::Int8:
    return readNumbers<int8_t>(source, count, target);
  case Dtype::Int16:
    return readNumbers<int16_t>(source, count, target);
  case Dtype::Int32:
    return readNumbers<int32_t>(source, count, target);
  case Dtype::Int64:
    return readNumbers<int64_t>(source, count, target);
  case Dtype::Int1:
  case Dtype::Uint8:
    return readNumbers<uint8_t>(source, count, target);
  case Dtype::Uint16:
    return readNumbers<uint16_t>(source, count, target);
  case Dtype::Uint32:
    return readNumbers<uint32_t>(source, count, target);
  case Dtype::Uint64:
    return readNumbers<uint64_t>(source, count, target);
  case Dtype::Fp8e5:
    return readSmallFloats<Dtype::Fp8e5>(source, count, target);
  case Dtype::Fp8e4nv:
    return readSmallFloats<Dtype::Fp8e4nv>(source, count, target);
  case Dtype::Fp8e4b15:
    return readSmallFloats<Dtype::Fp8e4b15>(source, count, target);
  case Dtype::Fp8e4b8:
    return readSmallFloats<Dtype::Fp8e4b8>(source, count, target);
  case Dtype::Fp8e5b16:
    return readSmallFloats<Dtype::Fp8e5b16>(source, count, target);
  case Dtype::Void:
    return;
  }
}

void writeElement(Dtype dtype, double value, std::byte *target) {
  switch (dtype) {
  case Dtype::Fp64:
    return store(value, target);
  case Dtype::Fp32:
    return store(static_cast<float>(value), target);
  case Dtype::Fp16:
  case Dtype::Bf16:
    return store(static_cast<uint16_t>(encode(smallFloat(dtype), value)), target);
  case Dtype::Int1:
    return store(static_cast<uint8_t>(value != 0), target);
  case Dtype::Int8:
    return store(saturate<int8_t>(value), target);
  case Dtype::Int16:
    return store(saturate<int16_t>(value), target);
  case Dtype::Int32:
    return store(saturate<int32_t>(value), target);
  case Dtype::Int64:
    return store(saturate<int64_t>(value), target);
  case Dtype::Uint8:
    return store(saturate<uint8_t>(value), target);
  case Dtype::Uint16:
    return store(saturate<uint16_t>(value), target);
  case Dtype::Uint32:
    return store(saturate<uint32_t>(value), target);
  case Dtype::Uint64:
    return store(saturate<uint64_t>(value), target);
  default:
    return store(static_cast<uint8_t>(encode(smallFloat(dtype), value)), target);
  }
}

int64_t readInteger(Dtype dtype, const std::byte *source) {
  uint64_t bits = elementBits(dtype, source);
  if (!isSigned(dtype))
    return int64_t(bits);
  int unused = 64 - 8 * int(dtypeSize(dtype));
  return int64_t(bits << unused) >> unused;
}

void writeInteger(Dtype dtype, int64_t value, std::byte *target) {
  if (dtype == Dtype::Int1)
    value = value != 0;
  std::memcpy(target, &value, dtypeSize(dtype));
}

uint64_t poisonBits(Dtype dtype) {
  switch (dtype) {
  case Dtype::Fp64:
    return 0x7ff8'7e57'a5a5'a5a5;
  case Dtype::Fp32:
    return 0x7fc5'a5a5;
  case Dtype::Fp16:
    return 0x7ea5;
  case Dtype::Bf16:
    return 0x7fe5;
  // Devices return the positive NaN of these, so the negative one is free to mean "never written".
  case Dtype::Fp8e4nv:
  case Dtype::Fp8e5:
    return 0xff;
  case Dtype::Fp8e4b8:
  case Dtype::Fp8e5b16:
    return 0x80;
  case Dtype::Int1:
    return 1;
  default:
    return 0xa5a5'a5a5'a5a5'a5a5 >> (64 - 8 * dtypeSize(dtype));
  }
}

uint64_t elementBits(Dtype dtype, const std::byte *source) {
  uint64_t bits = 0;
  std::memcpy(&bits, source, dtypeSize(dtype));
  return bits;
}

} // namespace tilescope::profiler
