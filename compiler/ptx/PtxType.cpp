// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxType.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace tilescope::compiler {

using Kind = PtxType::Kind;

std::optional<PtxType> parsePtxType(std::string_view name) {
  if (name == "pred")
    return PtxType{Kind::Pred, 1, 1};
  if (name == "tf32")
    return PtxType{Kind::Float, 32, 1};
  if (name.starts_with("e4m3"))
    return PtxType{Kind::Float8E4M3, 8, name.ends_with("x2") ? 2 : 1};
  if (name.starts_with("e5m2"))
    return PtxType{Kind::Float8E5M2, 8, name.ends_with("x2") ? 2 : 1};
  int32_t lanes = 1;
  if (name.size() > 2 && name.ends_with("x2")) {
    lanes = 2;
    name.remove_suffix(2);
  }
  Kind kind;
  if (name.starts_with("bf")) {
    kind = Kind::BFloat;
    name.remove_prefix(2);
  } else if (!name.empty() &&
             (name[0] == 'b' || name[0] == 'u' || name[0] == 's' || name[0] == 'f')) {
    kind = name[0] == 'b'   ? Kind::Bits
           : name[0] == 'u' ? Kind::Unsigned
           : name[0] == 's' ? Kind::Signed
                            : Kind::Float;
    name.remove_prefix(1);
  } else {
    return std::nullopt;
  }
  int32_t bits = 0;
  const char *end = name.data() + name.size();
  if (const auto read = std::from_chars(name.data(), end, bits);
      read.ec != std::errc() || read.ptr != end)
    return std::nullopt;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128)
    return std::nullopt;
  return PtxType{kind, bits, lanes};
}
uint64_t maskBits(uint64_t value, int32_t bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

int64_t signExtend(uint64_t value, int32_t bits) {
  return bits >= 64 ? static_cast<int64_t>(value)
                    : static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}
double elementOf(uint64_t bits, PtxType type) {
  return floatFromBits(maskBits(bits, type.bits), type);
}
namespace {

/// A floating-point format of at most 16 bits.
struct MiniFormat {
  int mantissa, bias;
  double maximum;
  bool infinity;
};

std::optional<MiniFormat> miniFormat(PtxType type) {
  if (type.kind == Kind::Float && type.bits == 16)
    return MiniFormat{10, 15, 65504.0, true};
  if (type.kind == Kind::BFloat)
    return MiniFormat{7, 127, 0x1.fep127, true};
  if (type.kind == Kind::Float8E4M3)
    return MiniFormat{3, 7, 448.0, false};
  if (type.kind == Kind::Float8E5M2)
    return MiniFormat{2, 15, 57344.0, true};
  return std::nullopt;
}

double decodeMini(uint64_t bits, PtxType type, MiniFormat format) {
  int exponentBits = type.bits - 1 - format.mantissa;
  uint64_t mantissa = bits & ((1u << format.mantissa) - 1);
  int exponent = static_cast<int>(bits >> format.mantissa) & ((1 << exponentBits) - 1);
  double sign = bits >> (type.bits - 1) & 1 ? -1.0 : 1.0;
  bool allOnes = exponent == (1 << exponentBits) - 1;
  if (allOnes && format.infinity)
    return mantissa ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  if (allOnes && !format.infinity && mantissa == (1u << format.mantissa) - 1)
    return std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0)
    return sign * std::ldexp(static_cast<double>(mantissa), 1 - format.bias - format.mantissa);
  return sign * std::ldexp(static_cast<double>(mantissa + (1u << format.mantissa)),
                           exponent - format.bias - format.mantissa);
}

uint64_t encodeMini(double value, PtxType type, MiniFormat format, bool towardZero) {
  uint64_t sign = std::signbit(value) ? uint64_t(1) << (type.bits - 1) : 0;
  int exponentBits = type.bits - 1 - format.mantissa;
  uint64_t infinity = ((uint64_t(1) << exponentBits) - 1) << format.mantissa;
  uint64_t allOnes = (uint64_t(1) << (type.bits - 1)) - 1;
  if (std::isnan(value))
    return allOnes;
  double magnitude = std::fabs(value);
  bool saturates = type.bits == 8;
  if (std::isinf(magnitude) && !saturates)
    return sign | infinity;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  int quantum = std::max(exponent - 1, 1 - format.bias) - format.mantissa;
  double scaled = std::ldexp(magnitude, -quantum);
  double rounded = std::isinf(scaled) ? scaled
                   : towardZero       ? std::trunc(scaled)
                                      : std::nearbyint(scaled);
  double result = std::ldexp(rounded, quantum);
  if (result > format.maximum) {
    if (saturates || towardZero)
      result = format.maximum;
    else
      return sign | infinity;
    std::frexp(result, &exponent);
    quantum = exponent - 1 - format.mantissa;
    rounded = std::ldexp(result, -quantum);
  }
  if (result == 0)
    return sign;
  std::frexp(result, &exponent);
  int biased = exponent - 1 + format.bias;
  if (biased <= 0)
    return sign | static_cast<uint64_t>(std::ldexp(result, format.bias - 1 + format.mantissa));
  uint64_t mantissa = static_cast<uint64_t>(std::ldexp(result, format.mantissa - (exponent - 1))) &
                      ((1u << format.mantissa) - 1);
  return sign | static_cast<uint64_t>(biased) << format.mantissa | mantissa;
}
} // namespace

double floatFromBits(uint64_t bits, PtxType type) {
  if (std::optional<MiniFormat> format = miniFormat(type))
    return decodeMini(bits, type, *format);
  if (type.bits == 64)
    return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

uint64_t floatToBits(double value, PtxType type, bool towardZero) {
  if (std::optional<MiniFormat> format = miniFormat(type))
    return encodeMini(value, type, *format, towardZero);
  if (type.bits == 64)
    return std::bit_cast<uint64_t>(value);
  float rounded = static_cast<float>(value);
  if (towardZero && std::fabs(static_cast<double>(rounded)) > std::fabs(value))
    rounded = std::nextafter(rounded, 0.0f);
  return std::bit_cast<uint32_t>(rounded);
}
} // namespace tilescope::compiler
