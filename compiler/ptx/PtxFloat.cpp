// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxArithmetic.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

namespace tilescope::compiler {

using Kind = PtxType::Kind;

namespace {

/// Arithmetic whose result is correctly rounded: computed in the type for f32/f64, in double below.
template <typename Compute>
uint64_t floatOp(PtxType type, const uint64_t *inputs, size_t numInputs, Compute compute) {
  uint64_t result = 0;
  for (int32_t lane = 0; lane < type.lanes; ++lane) {
    double in[3] = {};
    for (size_t i = 0; i < numInputs && i < 3; ++i)
      in[i] = elementOf(inputs[i] >> (lane * type.bits), type);
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

} // namespace

double flushDenormal(const PtxInstruction &instruction, PtxType type, double value) {
  const bool isTiny = std::fabs(value) < 0x1p-126;
  return instruction.has("ftz") && type.bits == 32 && isTiny ? std::copysign(0.0, value) : value;
}

std::optional<uint64_t> evaluateFloat(const PtxInstruction &instruction, PtxType type,
                                      const uint64_t *inputs, size_t numInputs) {
  const DirectedRounding rounding(instruction);
  const std::string &op = instruction.op;
  auto apply = [&](auto compute) {
    return floatOp(type, inputs, numInputs, [&](const double *raw) {
      double in[3];
      for (int i = 0; i < 3; ++i)
        in[i] = flushDenormal(instruction, type, raw[i]);
      double result = compute(in);
      if (instruction.has("relu"))
        result = std::isnan(result) ? result : std::max(result, 0.0);
      if (instruction.has("sat"))
        result = std::isnan(result) ? 0.0 : std::min(std::max(result, 0.0), 1.0);
      return flushDenormal(instruction, type, result);
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
} // namespace tilescope::compiler
