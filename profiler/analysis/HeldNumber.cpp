// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/HeldNumber.h"

#include "profiler/data/Element.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tilescope::profiler {

/// Rounded to a mantissa of so many bits, to the nearest, ties to even.
static double withMantissa(double value, int mantissaBits) {
  const int numDropped = std::numeric_limits<double>::digits - 1 - mantissaBits;
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint64_t rest = (uint64_t(1) << numDropped) - 1, isOdd = bits >> numDropped & 1;
  return std::bit_cast<double>((bits + rest / 2 + isOdd) & ~rest);
}

double heldAs(Dtype dtype, double value) {
  if (dtype == Dtype::Fp64)
    return value;
  if (dtype == Dtype::Fp32)
    return static_cast<float>(value);
  // Nearly all numbers of these types, which all elements of a tensor go through.
  constexpr double kLeastHalf = 0x1p-14, kMostHalf = 65504, kLeastBf16 = 0x1p-126,
                   kMostBf16 = 0x1p127;
  const double size = std::fabs(value);
  if (dtype == Dtype::Fp16 && kLeastHalf <= size && size <= kMostHalf)
    return withMantissa(value, 10);
  if (dtype == Dtype::Bf16 && kLeastBf16 <= size && size <= kMostBf16)
    return withMantissa(value, 7);
  std::array<std::byte, 8> bits{};
  writeElement(dtype, value, bits.data());
  return readElement(dtype, bits.data());
}

} // namespace tilescope::profiler
