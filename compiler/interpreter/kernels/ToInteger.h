// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace tilescope::compiler::interpreter {

/// Truncates to the range of I, held as R. Values that do not fit saturate as on the device. NaN
/// becomes zero, or only the top bit where the float or the integer has 64 bits. The device has no
/// conversion to 8 bits (PTX ISA, `cvt`): it converts to 16, and the low byte is left.
template <typename R, typename I> struct ToInteger {
  template <typename T> static R apply(T value) {
    if constexpr (sizeof(I) == 1) {
      using Wide = std::conditional_t<std::is_signed_v<I>, int16_t, uint16_t>;
      return static_cast<R>(ToInteger<Wide, Wide>::apply(value));
    }
    constexpr T kLow = static_cast<T>(std::numeric_limits<I>::min());
    // One above the largest value: a power of two, so exact.
    constexpr T kHigh = static_cast<T>(std::numeric_limits<I>::max() / 2 + 1) * 2;
    constexpr bool kIsWide = (sizeof(T) == 8 && sizeof(I) >= 4) || sizeof(I) == 8;
    constexpr I kNan = kIsWide ? static_cast<I>(uint64_t(1) << (sizeof(I) * 8 - 1)) : I(0);
    if (!(value >= kLow))
      return static_cast<R>(value != value ? kNan : std::numeric_limits<I>::min());
    return static_cast<R>(value >= kHigh ? std::numeric_limits<I>::max() : static_cast<I>(value));
  }
};

} // namespace tilescope::compiler::interpreter
