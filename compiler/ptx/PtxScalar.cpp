// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxScalar.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

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
  for (char c : name) {
    if (c < '0' || c > '9')
      return std::nullopt;
    bits = bits * 10 + (c - '0');
  }
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128)
    return std::nullopt;
  return PtxType{kind, bits, lanes};
}

namespace {

uint64_t maskBits(uint64_t value, int32_t bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

int64_t signExtend(uint64_t value, int32_t bits) {
  return bits >= 64 ? static_cast<int64_t>(value)
                    : static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

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

double element(uint64_t bits, PtxType type) {
  return floatFromBits(maskBits(bits, type.bits), type);
}

/// Arithmetic whose result is correctly rounded: computed in the type for f32/f64, in double below.
template <typename Compute>
uint64_t floatOp(PtxType type, const uint64_t *inputs, size_t numInputs, Compute compute) {
  uint64_t result = 0;
  for (int32_t lane = 0; lane < type.lanes; ++lane) {
    double in[3] = {};
    for (size_t i = 0; i < numInputs && i < 3; ++i)
      in[i] = element(inputs[i] >> (lane * type.bits), type);
    result |= floatToBits(compute(in), type) << (lane * type.bits);
  }
  return result;
}

double roundedFma(PtxType type, double a, double b, double c) {
  if (type.bits == 32 && type.kind == Kind::Float)
    return std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
  return std::fma(a, b, c);
}

double minMax(double a, double b, bool maximum, bool propagateNan) {
  if (std::isnan(a) || std::isnan(b)) {
    if (propagateNan)
      return std::numeric_limits<double>::quiet_NaN();
    return std::isnan(a) ? b : a;
  }
  if (a == 0 && b == 0)
    return (maximum ? std::signbit(a) : !std::signbit(a)) ? b : a;
  return maximum ? std::max(a, b) : std::min(a, b);
}

double flush(const PtxInstruction &instruction, PtxType type, double value) {
  const bool isTiny = std::fabs(value) < 0x1p-126;
  return instruction.has("ftz") && type.bits == 32 && isTiny ? std::copysign(0.0, value) : value;
}

/// The processor rounds as `.rz`, `.rm` or `.rp` say while this lives. Rounding twice in one
/// direction is rounding once.
class DirectedRounding {
public:
  explicit DirectedRounding(const PtxInstruction &instruction) {
    std::fesetround(instruction.has("rz")   ? FE_TOWARDZERO
                    : instruction.has("rm") ? FE_DOWNWARD
                    : instruction.has("rp") ? FE_UPWARD
                                            : FE_TONEAREST);
  }
  ~DirectedRounding() { std::fesetround(FE_TONEAREST); }
};

std::optional<uint64_t> evaluateFloat(const PtxInstruction &instruction, PtxType type,
                                      const uint64_t *inputs, size_t numInputs) {
  const DirectedRounding rounding(instruction);
  const std::string &op = instruction.op;
  auto apply = [&](auto compute) {
    return floatOp(type, inputs, numInputs, [&](const double *raw) {
      double in[3];
      for (int i = 0; i < 3; ++i)
        in[i] = flush(instruction, type, raw[i]);
      double result = compute(in);
      if (instruction.has("relu"))
        result = std::isnan(result) ? result : std::max(result, 0.0);
      if (instruction.has("sat"))
        result = std::isnan(result) ? 0.0 : std::min(std::max(result, 0.0), 1.0);
      return flush(instruction, type, result);
    });
  };
  // A float sum or product rounded to float from double is exact enough: 53 >= 2*24+2.
  if (op == "add")
    return apply([](const double *in) { return in[0] + in[1]; });
  if (op == "sub")
    return apply([](const double *in) { return in[0] - in[1]; });
  if (op == "mul")
    return apply([](const double *in) { return in[0] * in[1]; });
  if (op == "div")
    return apply([](const double *in) { return in[0] / in[1]; });
  if (op == "fma" || op == "mad")
    return apply([&](const double *in) { return roundedFma(type, in[0], in[1], in[2]); });
  if (op == "min" || op == "max") {
    bool nan = instruction.has("NaN"), maximum = op == "max";
    return apply([=](const double *in) {
      const double two = minMax(in[0], in[1], maximum, nan);
      return numInputs > 2 ? minMax(two, in[2], maximum, nan) : two;
    });
  }
  if (op == "neg")
    return apply([](const double *in) { return -in[0]; });
  if (op == "abs")
    return apply([](const double *in) { return std::fabs(in[0]); });
  if (op == "ex2")
    return apply([](const double *in) { return std::exp2(in[0]); });
  if (op == "lg2")
    return apply([](const double *in) { return std::log2(in[0]); });
  if (op == "sin")
    return apply([](const double *in) { return std::sin(in[0]); });
  if (op == "cos")
    return apply([](const double *in) { return std::cos(in[0]); });
  if (op == "rcp")
    return apply([](const double *in) { return 1.0 / in[0]; });
  if (op == "sqrt")
    return apply([](const double *in) { return std::sqrt(in[0]); });
  if (op == "rsqrt")
    return apply([](const double *in) { return 1.0 / std::sqrt(in[0]); });
  if (op == "tanh")
    return apply([](const double *in) { return std::tanh(in[0]); });
  if (op == "copysign")
    return apply([](const double *in) { return std::copysign(in[1], in[0]); });
  return std::nullopt;
}

uint64_t permuteBytes(uint64_t a, uint64_t b, uint64_t selector) {
  uint64_t source = maskBits(a, 32) | b << 32, result = 0;
  for (int i = 0; i < 4; ++i) {
    uint64_t pick = selector >> (4 * i) & 0xf;
    uint64_t byte = source >> (8 * (pick & 7)) & 0xff;
    if (pick & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

uint64_t shift(const PtxInstruction &instruction, PtxType type, uint64_t value, uint64_t amount) {
  amount = maskBits(amount, 32);
  if (instruction.op == "shl")
    return amount >= static_cast<uint64_t>(type.bits) ? 0 : value << amount;
  if (type.isSigned())
    return static_cast<uint64_t>(signExtend(value, type.bits) >>
                                 std::min<uint64_t>(amount, type.bits - 1));
  return amount >= static_cast<uint64_t>(type.bits) ? 0 : maskBits(value, type.bits) >> amount;
}

/// Instructions that move bits rather than count with them.
std::optional<uint64_t> evaluateBits(const PtxInstruction &instruction, PtxType type,
                                     const std::array<uint64_t, 4> &in) {
  const std::string &op = instruction.op;
  const auto [a, b, c, d] = in;
  const int32_t bits = type.bits;
  if (op == "and")
    return a & b;
  if (op == "or")
    return a | b;
  if (op == "xor")
    return a ^ b;
  if (op == "not")
    return type.kind == Kind::Pred ? a ^ 1 : ~a;
  if (op == "shl" || op == "shr")
    return shift(instruction, type, a, b);
  if (op == "prmt")
    return permuteBytes(a, b, c);
  if (op == "popc")
    return std::popcount(maskBits(a, bits));
  if (op == "clz")
    return bits == 64 ? std::countl_zero(a) : std::countl_zero(static_cast<uint32_t>(a));
  if (op == "brev") {
    uint64_t result = 0;
    for (int32_t i = 0; i < bits; ++i)
      result |= (a >> i & 1) << (bits - 1 - i);
    return result;
  }
  if (op == "bfe") {
    const uint64_t position = b & 0xff, length = c & 0xff;
    const uint64_t value = position >= 64 ? 0 : maskBits(a, bits) >> position;
    if (length == 0)
      return 0;
    return type.isSigned() ? static_cast<uint64_t>(signExtend(value, std::min<int>(length, 64)))
                           : maskBits(value, static_cast<int32_t>(length));
  }
  if (op == "bfi") {
    const uint64_t position = c & 0xff, length = d & 0xff;
    const uint64_t field = maskBits(~uint64_t(0), static_cast<int32_t>(length)) << position;
    return (b & ~field) | ((a << position) & field);
  }
  if (op == "shf") {
    const uint64_t both = maskBits(a, 32) | b << 32;
    const uint64_t amount =
        instruction.has("wrap") ? c & 31 : std::min<uint64_t>(maskBits(c, 32), 32);
    return instruction.has("l") ? both << amount >> 32 : both >> amount;
  }
  if (op == "lop3") {
    uint64_t result = 0;
    for (int i = 0; i < 32; ++i)
      result |= (d >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
    return result;
  }
  return std::nullopt;
}

std::optional<uint64_t> evaluateInteger(const PtxInstruction &instruction, PtxType type,
                                        const uint64_t *inputs, size_t numInputs) {
  const std::string &op = instruction.op;
  const int32_t bits = type.bits;
  const bool isSigned = type.isSigned();
  auto wide = [&](uint64_t value) {
    return isSigned ? static_cast<__int128>(signExtend(value, bits))
                    : static_cast<__int128>(maskBits(value, bits));
  };
  std::array<uint64_t, 4> in = {};
  std::copy_n(inputs, std::min(numInputs, in.size()), in.begin());
  const auto [a, b, c, d] = in;
  if (op == "add")
    return a + b;
  if (op == "sub")
    return a - b;
  if (op == "mul" || op == "mad") {
    const __int128 product = isSigned
                                 ? wide(a) * wide(b)
                                 : static_cast<__int128>(static_cast<unsigned __int128>(wide(a)) *
                                                         static_cast<unsigned __int128>(wide(b)));
    const auto part = static_cast<uint64_t>(instruction.has("hi") ? product >> bits : product);
    return op == "mad" ? part + c : part;
  }
  if (op == "div")
    return maskBits(b, bits) == 0 ? ~uint64_t(0) : static_cast<uint64_t>(wide(a) / wide(b));
  if (op == "rem")
    return maskBits(b, bits) == 0 ? a : static_cast<uint64_t>(wide(a) % wide(b));
  if (op == "min")
    return wide(a) < wide(b) ? a : b;
  if (op == "max")
    return wide(a) > wide(b) ? a : b;
  if (op == "neg")
    return 0 - a;
  if (op == "abs")
    return static_cast<uint64_t>(wide(a) < 0 ? -wide(a) : wide(a));
  if (op == "sad")
    return static_cast<uint64_t>(wide(a) > wide(b) ? wide(a) - wide(b) : wide(b) - wide(a)) + c;
  return evaluateBits(instruction, type, in);
}

/// `add.s16x2` and the like: two integers in one register, without a carry between them.
std::optional<uint64_t> evaluateIntegerPair(const PtxInstruction &instruction, PtxType type,
                                            const uint64_t *inputs, size_t numInputs) {
  PtxType single = type;
  single.lanes = 1;
  uint64_t result = 0;
  for (int lane = 0; lane < 2; ++lane) {
    std::array<uint64_t, 4> part{};
    for (size_t i = 0; i < std::min(numInputs, part.size()); ++i)
      part[i] = maskBits(inputs[i] >> (lane * type.bits), type.bits);
    std::optional<uint64_t> value =
        evaluateInteger(instruction, single, part.data(), std::min(numInputs, part.size()));
    if (!value)
      return value;
    result |= maskBits(*value, type.bits) << (lane * type.bits);
  }
  return result;
}

uint64_t floatToInteger(double value, PtxType to) {
  if (std::isnan(value))
    return 0;
  if (to.isSigned()) {
    double limit = std::ldexp(1.0, to.bits - 1);
    if (value >= limit)
      return (uint64_t(1) << (to.bits - 1)) - 1;
    if (value < -limit)
      return uint64_t(1) << (to.bits - 1);
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  if (value >= std::ldexp(1.0, to.bits))
    return maskBits(~uint64_t(0), to.bits);
  return value <= 0 ? 0 : static_cast<uint64_t>(value);
}

double roundToInteger(const PtxInstruction &instruction, double value) {
  if (instruction.has("rzi"))
    return std::trunc(value);
  if (instruction.has("rmi"))
    return std::floor(value);
  if (instruction.has("rpi"))
    return std::ceil(value);
  return instruction.has("rni") ? std::nearbyint(value) : value;
}

/// `cvt.modifiers.to.from`.
std::optional<uint64_t> evaluateConvert(const PtxInstruction &instruction, const uint64_t *inputs,
                                        size_t numInputs) {
  size_t count = instruction.modifiers.size();
  if (count < 2)
    return std::nullopt;
  std::optional<PtxType> to = parsePtxType(instruction.modifiers[count - 2]);
  std::optional<PtxType> from = parsePtxType(instruction.modifiers[count - 1]);
  if (!to || !from)
    return std::nullopt;
  bool towardZero = instruction.has("rz");
  if (to->lanes == 2 &&
      from->lanes == 1) // Two scalars to a pair; the first operand is the upper half.
    return floatToBits(element(inputs[0], *from), *to, towardZero) << to->bits |
           floatToBits(element(inputs[1], *from), *to, towardZero);
  if (to->lanes == 2) {
    uint64_t result = 0;
    for (int lane = 0; lane < 2; ++lane)
      result |= floatToBits(element(inputs[0] >> (lane * from->bits), *from), *to, towardZero)
                << (lane * to->bits);
    return result;
  }
  if (instruction.modifiers[count - 2] == "tf32") {
    uint64_t bits = maskBits(inputs[0], 32);
    if (std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits))))
      return 0x7fffffff;
    return (instruction.has("rna") ? bits + 0x1000 : bits) & ~uint64_t(0x1fff);
  }
  if (from->isFloat()) {
    double value =
        roundToInteger(instruction, flush(instruction, *from, element(inputs[0], *from)));
    if (!to->isFloat())
      return floatToInteger(value, *to);
    if (instruction.has("sat"))
      value = std::isnan(value) ? 0.0 : std::min(std::max(value, 0.0), 1.0);
    return floatToBits(value, *to, towardZero);
  }
  uint64_t raw = maskBits(inputs[0], from->bits);
  if (to->isFloat()) {
    // Straight to the target: going through double would round twice.
    if (to->bits == 32 && to->kind == Kind::Float && !towardZero) {
      float value = from->isSigned() ? static_cast<float>(signExtend(raw, from->bits))
                                     : static_cast<float>(raw);
      return std::bit_cast<uint32_t>(value);
    }
    double value = from->isSigned() ? static_cast<double>(signExtend(raw, from->bits))
                                    : static_cast<double>(raw);
    return floatToBits(value, *to, towardZero);
  }
  int64_t extended = from->isSigned() ? signExtend(raw, from->bits) : static_cast<int64_t>(raw);
  if (instruction.has("sat")) {
    __int128 value = from->isSigned() ? extended : static_cast<__int128>(raw);
    __int128 high = to->isSigned() ? (static_cast<__int128>(1) << (to->bits - 1)) - 1
                                   : (static_cast<__int128>(1) << to->bits) - 1;
    __int128 low = to->isSigned() ? -high - 1 : 0;
    return static_cast<uint64_t>(std::min(std::max(value, low), high));
  }
  // A type narrower than the register fills it with the sign, or with zeros.
  uint64_t narrow = maskBits(static_cast<uint64_t>(extended), to->bits);
  return to->isSigned() ? static_cast<uint64_t>(signExtend(narrow, to->bits)) : narrow;
}

PtxType typeOf(const PtxInstruction &instruction) {
  for (auto modifier = instruction.modifiers.rbegin(); modifier != instruction.modifiers.rend();
       ++modifier)
    if (std::optional<PtxType> type = parsePtxType(*modifier))
      return *type;
  return {};
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

std::optional<uint64_t> evaluateScalar(const PtxInstruction &instruction, const uint64_t *inputs,
                                       size_t numInputs) {
  const std::string &op = instruction.op;
  if (op == "cvt")
    return evaluateConvert(instruction, inputs, numInputs);
  if (op == "cvta" || op == "mov")
    return inputs[0];
  if (op == "selp")
    return inputs[2] & 1 ? inputs[0] : inputs[1];
  PtxType type = typeOf(instruction);
  // `fma.rn.f32.f16`: all operands but the last are of the narrow type.
  std::array<uint64_t, 3> widened{};
  if (type.isFloat() && type.bits == 16 && instruction.has("f32") && numInputs <= widened.size()) {
    constexpr PtxType kWide{Kind::Float, 32, 1};
    for (size_t i = 0; i < numInputs; ++i)
      widened[i] = i + 1 < numInputs ? floatToBits(element(inputs[i], type), kWide) : inputs[i];
    inputs = widened.data();
    type = kWide;
  }
  std::optional<uint64_t> result =
      type.isFloat()    ? evaluateFloat(instruction, type, inputs, numInputs)
      : type.lanes == 2 ? evaluateIntegerPair(instruction, type, inputs, numInputs)
                        : evaluateInteger(instruction, type, inputs, numInputs);
  if (!result)
    return result;
  int32_t width = type.bits * type.lanes;
  if (instruction.has("wide"))
    width *= 2;
  if (op == "popc" || op == "clz")
    width = 32;
  return maskBits(*result, width);
}

std::optional<bool> evaluateCompare(const PtxInstruction &instruction, uint64_t lhs, uint64_t rhs) {
  PtxType type = typeOf(instruction);
  std::string_view how = instruction.modifiers.at(0);
  auto compare = [&](auto a, auto b) -> std::optional<bool> {
    if (how == "eq")
      return a == b;
    if (how == "ne")
      return a != b;
    if (how == "lt" || how == "lo")
      return a < b;
    if (how == "le" || how == "ls")
      return a <= b;
    if (how == "gt" || how == "hi")
      return a > b;
    if (how == "ge" || how == "hs")
      return a >= b;
    return std::nullopt;
  };
  if (!type.isFloat()) {
    if (type.isSigned())
      return compare(signExtend(lhs, type.bits), signExtend(rhs, type.bits));
    return compare(maskBits(lhs, type.bits), maskBits(rhs, type.bits));
  }
  double a = flush(instruction, type, element(lhs, type));
  double b = flush(instruction, type, element(rhs, type));
  bool unordered = std::isnan(a) || std::isnan(b);
  if (how == "num")
    return !unordered;
  if (how == "nan")
    return unordered;
  if (how.size() == 3 && how.ends_with('u')) {
    how.remove_suffix(1);
    return unordered ? std::optional<bool>(true) : compare(a, b);
  }
  return unordered ? std::optional<bool>(false) : compare(a, b);
}

std::optional<uint64_t> evaluateAtomic(std::string_view op, PtxType type, uint64_t memory,
                                       uint64_t operand, uint64_t swap) {
  if (op == "exch")
    return operand;
  if (op == "cas")
    return maskBits(memory, type.bits) == maskBits(operand, type.bits) ? swap : memory;
  PtxInstruction instruction;
  instruction.op = op;
  uint64_t inputs[] = {memory, operand};
  return type.isFloat() ? evaluateFloat(instruction, type, inputs, 2)
                        : evaluateInteger(instruction, type, inputs, 2);
}

} // namespace tilescope::compiler
