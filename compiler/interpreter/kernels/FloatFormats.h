// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Rounding to, and encoding of, the floats of 8 and 16 bits. All without branches, so that loops
// over blocks become vector code.
//
// A value of a small format is a `float` that the format can represent. Example, f16 (10 bits of
// mantissa): 2049 lies between 2048 and 2050, which f16 has; the tie goes to the even mantissa,
// 2048.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tilescope::compiler::interpreter {

/// What sets the formats apart from each other.
struct Format {
  int mantissaBits;
  /// Exponent of the smallest normal value.
  int minExponent;
  float largest;
  /// Conversion returns the largest finite value instead of infinity, as the device does for 8
  /// bits.
  bool saturates;
};

inline constexpr Format kF16{10, -14, 65504.0f, false};
inline constexpr Format kBF16{7, -126, 0x1.fep127f, false};
inline constexpr Format kF8E5M2{2, -14, 57344.0f, true};
inline constexpr Format kF8E4M3{3, -6, 448.0f, true};
// Without infinities and without a negative zero, whose code is NaN.
inline constexpr Format kF8E5M2FNUZ{2, -15, 57344.0f, true};
inline constexpr Format kF8E4M3FNUZ{3, -7, 240.0f, true};

namespace detail {
constexpr uint32_t kSign = 0x80000000u;
constexpr uint32_t kInfinity = 0x7f800000u;
constexpr uint32_t exponentBits(int exponent) {
  return static_cast<uint32_t>(exponent + 127) << 23;
}
} // namespace detail

/// Nearest value of the format, ties to even.
template <Format F> inline float roundTo(float value) {
  using namespace detail;
  constexpr int kDropped = 23 - F.mantissaBits;
  constexpr uint32_t kMask = (1u << kDropped) - 1;
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = bits & kSign, magnitude = bits & ~kSign;
  uint32_t rounded = (magnitude + (kMask >> 1) + ((magnitude >> kDropped) & 1)) & ~kMask;
  if constexpr (F.minExponent > -126) {
    // Adding a number whose last place is the format's smallest step rounds to that step.
    constexpr float kMagic =
        std::bit_cast<float>(exponentBits(F.minExponent - F.mantissaBits + 23));
    uint32_t subnormal =
        std::bit_cast<uint32_t>((std::bit_cast<float>(magnitude) + kMagic) - kMagic);
    rounded = magnitude < exponentBits(F.minExponent) ? subnormal : rounded;
  }
  constexpr uint32_t kLargest = std::bit_cast<uint32_t>(F.largest);
  rounded = rounded > kLargest ? (F.saturates ? kLargest : kInfinity) : rounded;
  rounded = magnitude > kInfinity ? (magnitude | 0x00400000u) & ~kMask : rounded;
  return std::bit_cast<float>(sign | rounded);
}

/// Next value of the format toward zero.
template <Format F> inline float truncateTo(float value) {
  using namespace detail;
  constexpr uint32_t kMask = (1u << (23 - F.mantissaBits)) - 1;
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = bits & kSign, magnitude = bits & ~kSign;
  uint32_t truncated = magnitude & ~kMask;
  if constexpr (F.minExponent > -126) {
    constexpr float kScale = std::bit_cast<float>(exponentBits(F.mantissaBits - F.minExponent));
    constexpr float kStep = std::bit_cast<float>(exponentBits(F.minExponent - F.mantissaBits));
    bool small = magnitude < exponentBits(F.minExponent);
    float steps = small ? std::bit_cast<float>(magnitude) * kScale : 0.0f;
    uint32_t subnormal =
        std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(steps)) * kStep);
    truncated = small ? subnormal : truncated;
  }
  constexpr uint32_t kLargest = std::bit_cast<uint32_t>(F.largest);
  bool overflows = truncated > kLargest && (F.saturates || magnitude < kInfinity);
  truncated = overflows ? kLargest : truncated;
  truncated = magnitude > kInfinity ? (magnitude | 0x00400000u) & ~kMask : truncated;
  return std::bit_cast<float>(sign | truncated);
}

/// A `float` that rounds to the same narrower value as the `double`: inexact results get an odd
/// last bit.
inline float roundToOdd(double value) {
  float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || !(std::fabs(nearest) <= 0x1.fffffep127f))
    return std::isinf(nearest) && !std::isinf(value) ? std::copysign(0x1.fffffep127f, nearest)
                                                     : nearest;
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value))
    --bits;
  return std::bit_cast<float>(bits | 1);
}

inline float decodeF16(uint16_t code) {
  uint32_t sign = static_cast<uint32_t>(code & 0x8000u) << 16, rest = code & 0x7fffu;
  uint32_t normal = (rest << 13) + 0x38000000u;
  uint32_t subnormal =
      std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(rest)) * 0x1p-24f);
  uint32_t bits = rest < 0x400u ? subnormal : normal;
  bits = rest >= 0x7c00u ? (rest << 13) | detail::kInfinity : bits;
  return std::bit_cast<float>(sign | bits);
}

/// The code of a value that f16 has.
inline uint16_t encodeF16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & ~detail::kSign;
  uint32_t normal = (magnitude - 0x38000000u) >> 13;
  bool isSmall = magnitude < 0x38800000u;
  uint32_t subnormal = static_cast<uint32_t>(
      static_cast<int32_t>((isSmall ? std::bit_cast<float>(magnitude) : 0.0f) * 0x1p24f));
  uint32_t code = isSmall ? subnormal : normal;
  code = magnitude >= detail::kInfinity ? 0x7c00u | ((magnitude >> 13) & 0x3ffu) : code;
  return static_cast<uint16_t>(sign | code);
}

inline float decodeBF16(uint16_t code) {
  return std::bit_cast<float>(static_cast<uint32_t>(code) << 16);
}
inline uint16_t encodeBF16(float value) {
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
}

// e5m2 is f16 without its last eight bits.
inline float decodeF8E5M2(uint8_t code) { return decodeF16(static_cast<uint16_t>(code << 8)); }
inline uint8_t encodeF8E5M2(float value) { return static_cast<uint8_t>(encodeF16(value) >> 8); }

inline float decodeF8E4M3(uint8_t code) {
  uint32_t sign = static_cast<uint32_t>(code & 0x80u) << 24, rest = code & 0x7fu;
  uint32_t normal = (rest << 20) + 0x3c000000u;
  uint32_t subnormal =
      std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(rest)) * 0x1p-9f);
  uint32_t bits = rest < 8u ? subnormal : normal;
  bits = rest == 0x7fu ? 0x7fc00000u : bits;
  return std::bit_cast<float>(sign | bits);
}

/// The code of a value that e4m3 has.
inline uint8_t encodeF8E4M3(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = (bits >> 24) & 0x80u, magnitude = bits & ~detail::kSign;
  bool isSmall = magnitude < 0x3c800000u;
  uint32_t normal = (magnitude - 0x3c000000u) >> 20;
  uint32_t subnormal = static_cast<uint32_t>(
      static_cast<int32_t>((isSmall ? std::bit_cast<float>(magnitude) : 0.0f) * 0x1p9f));
  uint32_t code = isSmall ? subnormal : normal;
  code = magnitude > detail::kInfinity ? 0x7fu : code;
  return static_cast<uint8_t>(sign | code);
}

/// The formats whose only NaN is the code 0x80.
template <Format F> inline float decodeFnuz(uint8_t code) {
  uint32_t sign = static_cast<uint32_t>(code & 0x80u) << 24, rest = code & 0x7fu;
  constexpr float kStep =
      std::bit_cast<float>(detail::exponentBits(F.minExponent - F.mantissaBits));
  // One exponent below the smallest normal is the code's exponent 0.
  uint32_t normal = (rest << (23 - F.mantissaBits)) + detail::exponentBits(F.minExponent - 1);
  uint32_t subnormal =
      std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(rest)) * kStep);
  uint32_t bits = rest < (1u << F.mantissaBits) ? subnormal : normal;
  return std::bit_cast<float>(code == 0x80u ? 0x7fc00000u : sign | bits);
}
/// The code of a value that the format has.
template <Format F> inline uint8_t encodeFnuz(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = (bits >> 24) & 0x80u, magnitude = bits & ~detail::kSign;
  constexpr float kScale =
      std::bit_cast<float>(detail::exponentBits(F.mantissaBits - F.minExponent));
  bool isSmall = magnitude < detail::exponentBits(F.minExponent);
  uint32_t normal = (magnitude - detail::exponentBits(F.minExponent - 1)) >> (23 - F.mantissaBits);
  uint32_t subnormal = static_cast<uint32_t>(
      static_cast<int32_t>((isSmall ? std::bit_cast<float>(magnitude) : 0.0f) * kScale));
  uint32_t code = isSmall ? subnormal : normal;
  code |= code == 0 ? 0u : sign;
  return static_cast<uint8_t>(magnitude > detail::kInfinity ? 0x80u : code);
}

/// What tensor cores take of a factor that is multiplied as tf32: 10 bits of mantissa, the
/// exponents of `float`; the lower bits are ignored.
inline float truncateToTf32(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return (bits & detail::kInfinity) == detail::kInfinity ? value
                                                         : std::bit_cast<float>(bits & ~0x1fffu);
}

} // namespace tilescope::compiler::interpreter
