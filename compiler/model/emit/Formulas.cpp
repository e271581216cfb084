// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/Formulas.h"

#include "llvm/ADT/TypeSwitch.h"

#include <charconv>

using namespace mlir;

namespace tilescope::model {

static Formula unary(const char *triton, const char *numpy) { return {triton, numpy}; }

static Formula withAlpha(StringRef triton, StringRef numpy, double alpha) {
  const auto filled = [&](StringRef text) {
    std::string result = text.str();
    const size_t at = result.find("ALPHA");
    return result.replace(at, 5, numberText(alpha));
  };
  return {filled(triton), filled(numpy)};
}

/// For narrow types, whose rounding is a thousand times as large. The exact one has a branch for each element.
static constexpr const char *kErf = R"(@triton.jit
def erf_of(x):
    # Within 1.5e-7 of the error function (Abramowitz, Stegun: Handbook of Mathematical Functions, 7.1.26).
    d = 1 + 0.3275911 * tl.abs(x)
    t = tl.rsqrt(d * d)
    polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    y = 1 - polynomial * tl.exp2(-1.44269504 * x * x)
    return tl.where(x < 0, -y, y)
)";
/// x above 0 and nothing below, less what the tail takes: |x| times the share of the normal distribution, or of the sigmoid
/// that stands for it, that lies beyond |x|. The logarithms of both are smooth, so a polynomial and one power are all:
/// two thirds of the instructions of a quotient and a power. Fitted to the largest error in units of fp16, up to |x| = 6.2, where
/// nothing of the result is left.
static constexpr const char *kGelu = R"(@triton.jit
def gelu_of(x):
    # The power is the normal distribution beyond |x|, within 7e-7 of it times |x|.
    size = tl.minimum(tl.abs(x), 10.0)
    tail = ((3.3227281e-05 * size - 0.00075825464) * size + 0.0079883924) * size - 0.05315113
    tail = ((tail * size - 0.45907401) * size - 1.1510709) * size - 1.0000057
    return tl.maximum(x, 0.0, propagate_nan=tl.PropagateNan.ALL) - size * tl.exp2(tail)
)";
static constexpr const char *kTanhGelu = R"(@triton.jit
def tanh_gelu_of(x):
    # The power is 1 / (1 + exp(1.5957691216 * (|x| + 0.044715 * |x|**3))), within 3e-6 of it times |x|.
    size = tl.minimum(tl.abs(x), 10.0)
    tail = ((-2.0995854e-05 * size + 0.00032229946) * size - 0.0015350125) * size + 0.00042524671
    tail = ((tail * size + 0.010363088) * size - 0.056156072) * size - 0.45637534
    tail = (tail * size - 1.1516999) * size - 0.99998005
    return tl.maximum(x, 0.0, propagate_nan=tl.PropagateNan.ALL) - size * tl.exp2(tail)
)";

static bool isNarrow(Operation *operation) {
  return getElementTypeOrSelf(operation->getOperand(0)).getIntOrFloatBitWidth() < 32;
}

/// `ERF` stands for the error function.
static Formula withErf(Operation *operation, StringRef text) {
  const auto filled = [&](StringRef name) {
    std::string result = text.str();
    return result.replace(result.find("ERF"), 3, name);
  };
  return {filled(isNarrow(operation) ? "erf_of" : "tl.erf"), filled("erf"), 5,
          isNarrow(operation) ? kErf : ""};
}

static Formula gelu(tm::GeluOp op) {
  if (op.getApproximate()) {
    const std::string sigmoid = "sigmoid(1.5957691216 * (a + 0.044715 * a * a * a))";
    return isNarrow(op) ? Formula{"tanh_gelu_of(a)", "a * " + sigmoid, 5, kTanhGelu}
                        : Formula{"a * tl." + sigmoid, "a * " + sigmoid};
  }
  const std::string exact = "0.5 * a * (1 + erf(a * 0.7071067812))";
  return isNarrow(op) ? Formula{"gelu_of(a)", exact, 5, kGelu}
                      : withErf(op, "0.5 * a * (1 + ERF(a * 0.7071067812))");
}

static Formula hardSigmoid(tm::HardSigmoidOp op) {
  const std::string line = numberText(op.getAlpha().convertToFloat()) + " * a + " +
                           numberText(op.getBeta().convertToFloat());
  return {"tl.minimum(tl.maximum(" + line + ", 0.0), 1.0)", "clip(" + line + ", 0, 1)"};
}

static Formula compareFormula(tm::Comparison predicate) {
  static constexpr const char *kSigns[] = {"a == b", "a < b", "a <= b", "a > b", "a >= b"};
  const char *text = kSigns[unsigned(predicate)];
  return {text, text};
}

static Formula unaryFormula(Operation *operation) {
  return llvm::TypeSwitch<Operation *, Formula>(operation)
      .Case([](tm::AbsOp) { return unary("tl.abs(a)", "abs(a)"); })
      .Case([](tm::CeilOp) { return unary("tl.ceil(a)", "ceil(a)"); })
      .Case([](tm::CosOp) { return unary("tl.cos(a)", "cos(a)"); })
      .Case([](tm::EluOp op) {
        return withAlpha("tl.where(a > 0, a, ALPHA * (tl.exp(a) - 1))",
                         "where(a > 0, a, ALPHA * expm1(a))", op.getAlpha().convertToFloat());
      })
      .Case([](tm::ErfOp op) { return withErf(op, "ERF(a)"); })
      .Case([](tm::ExpOp) { return unary("tl.exp(a)", "exp(a)"); })
      .Case([](tm::FloorOp) { return unary("tl.floor(a)", "floor(a)"); })
      .Case([](tm::GeluOp op) { return gelu(op); })
      .Case([](tm::HardSigmoidOp op) { return hardSigmoid(op); })
      .Case([](tm::LeakyReluOp op) {
        return withAlpha("tl.where(a > 0, a, ALPHA * a)", "where(a > 0, a, ALPHA * a)",
                         op.getAlpha().convertToFloat());
      })
      .Case([](tm::LogOp) { return unary("tl.log(a)", "log(a)"); })
      .Case([](tm::NegOp) { return unary("-a", "-a"); })
      .Case([](tm::NotOp) { return unary("a == 0", "a == 0"); })
      .Case([](tm::RoundOp op) {
        // Adding this leaves no room for fractions; halves become even.
        return getElementTypeOrSelf(op.getOperand()).isF64()
                   ? unary("a + 6755399441055744.0 - 6755399441055744.0", "")
                   : unary("tl.where(tl.abs(a) < 4194304.0, a + 12582912.0 - 12582912.0, a)", "");
      })
      .Case([](tm::ReciprocalOp) { return unary("1 / a", "1 / a"); })
      .Case([](tm::ReluOp) { return unary("tl.maximum(a, 0)", "maximum(a, 0)"); })
      .Case([](tm::SigmoidOp) { return unary("tl.sigmoid(a)", "sigmoid(a)"); })
      .Case(
          [](tm::SignOp) { return unary("tl.where(a > 0, 1, tl.where(a < 0, -1, a))", "sign(a)"); })
      .Case([](tm::SinOp) { return unary("tl.sin(a)", "sin(a)"); })
      .Case([](tm::SoftplusOp) {
        return unary("tl.maximum(a, 0) + tl.log(1 + tl.exp(-tl.abs(a)))",
                     "maximum(a, 0) + log1p(exp(-abs(a)))");
      })
      .Case([](tm::SqrtOp) { return unary("tl.sqrt(a)", "sqrt(a)"); })
      .Case([](tm::TanhOp) { return unary("2 * tl.sigmoid(2 * a) - 1", "tanh(a)"); })
      .Case([](tm::IsNanOp) { return unary("a != a", "isnan(a)"); })
      .Case([](tm::CastOp) { return unary("a", "a"); })
      .Default([](Operation *) { return Formula(); });
}

static Formula batchNorm(tm::BatchNormOp op) {
  const std::string epsilon = numberText(op.getEpsilon().convertToFloat());
  return {"(a - d) / tl.sqrt(e + " + epsilon + ") * b + c",
          "(a - d) / sqrt(e + " + epsilon + ") * b + c"};
}

/// The number that a constant has everywhere.
static std::optional<double> constantNumber(Value value) {
  auto constant = value.getDefiningOp<tm::ConstantOp>();
  const auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || !elements.isSplat() || !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  return elements.getSplatValue<APFloat>().convertToDouble();
}

/// By logarithms; powers of negative numbers to whole exponents have a sign, and to others are not numbers.
static std::string generalPower(bool hasWholeExponent) {
  const std::string sign = "tl.where((a < 0) & (b.to(tl.int32) % 2 != 0), -1.0, 1.0)";
  const std::string factor =
      hasWholeExponent ? sign
                       : "tl.where((a < 0) & (b != tl.floor(b)), float(\"nan\"), " + sign + ")";
  return "tl.where(b == 0, 1.0, " + factor +
         " * tl.exp(b.to(tl.float32) * tl.log(tl.abs(a.to(tl.float32)))))";
}

static bool hasWholeExponent(tm::PowOp op, std::optional<double> exponent) {
  return (exponent && *exponent == std::floor(*exponent)) ||
         !isa<FloatType>(getElementTypeOrSelf(op.getRhs()));
}

/// Small whole exponents and roots are written out.
static Formula power(tm::PowOp op, bool isReal) {
  const auto exponent = constantNumber(op.getRhs());
  if (!isReal)
    return {"tl.floor(" + generalPower(/*hasWholeExponent=*/true) + " + 0.5)", ""};
  if (!exponent)
    return {generalPower(hasWholeExponent(op, exponent)), ""};
  if (*exponent == 0.5)
    return {"tl.sqrt(a)", "sqrt(a)", 1};
  if (*exponent == -0.5)
    return {"1 / tl.sqrt(a)", "1 / sqrt(a)", 1};
  if (*exponent == -1)
    return {"1 / a", "1 / a", 1};
  if (*exponent != 1 && *exponent != 2 && *exponent != 3 && *exponent != 4)
    return {generalPower(hasWholeExponent(op, exponent)), ""};
  std::string text = "a";
  for (int i = 1; i < int(*exponent); ++i)
    text += " * a";
  return {text, text, 1};
}

/// Of the divisor's sign, or, as `fmod` has it, of the dividend's.
static Formula remainder(tm::ModOp op, bool isReal) {
  const auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getLhs()));
  if (op.getFmod() || (integer && integer.isUnsigned()))
    return {"a % b", ""};
  if (isReal)
    return {"tl.where((a % b != 0) & ((a % b < 0) != (b < 0)), a % b + b, a % b)", ""};
  return {"(a % b + b) % b", ""};
}

/// Places beyond the width leave nothing, or the sign, which moves in from the left.
static Formula shift(tm::ShiftOp op) {
  auto integer = cast<IntegerType>(getElementTypeOrSelf(op.getLhs()));
  const std::string width = std::to_string(integer.getWidth());
  if (op.getRight() && !integer.isUnsigned())
    return {"a >> tl.minimum(b, " + std::to_string(integer.getWidth() - 1) + ")", ""};
  return {"tl.where(b < " + width + ", a " + (op.getRight() ? ">>" : "<<") + " b, 0)", ""};
}

Formula formulaOf(Operation *operation) {
  if (operation->getNumResults() != 1 || operation->getNumOperands() == 0)
    return {};
  const bool isReal = isa<FloatType>(getElementTypeOrSelf(operation->getOperand(0)));
  return llvm::TypeSwitch<Operation *, Formula>(operation)
      .Case([](tm::AddOp) { return unary("a + b", "a + b"); })
      .Case([](tm::AndOp) { return unary("a & b", "a & b"); })
      .Case([](tm::OrOp) { return unary("a | b", "a | b"); })
      .Case([](tm::XorOp) { return unary("a ^ b", "a ^ b"); })
      .Case([](tm::BatchNormOp op) { return batchNorm(op); })
      .Case([&](tm::PowOp op) { return power(op, isReal); })
      .Case([&](tm::DivOp) { return isReal ? unary("a / b", "a / b") : unary("a // b", ""); })
      .Case([&](tm::ModOp op) { return remainder(op, isReal); })
      .Case([](tm::MaxOp) { return unary("tl.maximum(a, b)", "maximum(a, b)"); })
      .Case([](tm::MinOp) { return unary("tl.minimum(a, b)", "minimum(a, b)"); })
      .Case([](tm::MulOp) { return unary("a * b", "a * b"); })
      .Case([](tm::ShiftOp op) { return shift(op); })
      .Case([](tm::SubOp) { return unary("a - b", "a - b"); })
      .Case([](tm::CompareOp op) { return compareFormula(op.getPredicate()); })
      .Case([](tm::WhereOp) { return unary("tl.where(a != 0, b, c)", "where(a, b, c)"); })
      .Default([](Operation *op) { return unaryFormula(op); });
}

std::vector<int64_t> operandShape(Operation *operation, unsigned i) {
  const RankedTensorType type = tensorType(operation->getOperand(i));
  std::vector<int64_t> shape = type.getShape().vec();
  // For each channel: the axes behind it are repeated.
  if (isa<tm::BatchNormOp>(operation) && i > 0)
    shape.resize(std::max<size_t>(1, size_t(tensorType(operation->getOperand(0)).getRank()) - 1),
                 1);
  return shape;
}

std::string filledFormula(StringRef formula, ArrayRef<std::string> names) {
  std::string result;
  const auto isPartOfWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  for (size_t i = 0; i < formula.size(); ++i) {
    const bool isAlone = (i == 0 || !isPartOfWord(formula[i - 1])) &&
                         (i + 1 == formula.size() || !isPartOfWord(formula[i + 1]));
    const size_t name = size_t(formula[i] - 'a');
    if (isAlone && formula[i] >= 'a' && name < names.size())
      result += names[name];
    else
      result.push_back(formula[i]);
  }
  return result;
}

bool isCheap(Operation *operation) {
  return isa<tm::AbsOp, tm::AddOp, tm::AndOp, tm::CastOp, tm::CeilOp, tm::CompareOp, tm::ExpandOp,
             tm::FloorOp, tm::HardSigmoidOp, tm::IsNanOp, tm::LeakyReluOp, tm::MaxOp, tm::MinOp,
             tm::MulOp, tm::NegOp, tm::NotOp, tm::OrOp, tm::ReluOp, tm::ReshapeOp, tm::ShiftOp,
             tm::SignOp, tm::SliceOp, tm::SubOp, tm::TransposeOp, tm::WhereOp, tm::XorOp>(
      operation);
}

static std::string realLiteral(APFloat value) {
  if (!value.isFinite())
    return "";
  // The fewest digits that tell it from its neighbours: 1e-05.
  if (&value.getSemantics() == &APFloat::IEEEsingle()) {
    char digits[32];
    const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, value.convertToFloat());
    const std::string text(digits, end);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  bool isLossy = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isLossy);
  const std::string text = numberText(value.convertToDouble());
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string literalOf(Value value) {
  const Attribute element = tm::splatElement(value);
  // fp64 has more digits than the text.
  if (auto real = dyn_cast_if_present<FloatAttr>(element))
    return isSmallReal(real.getType()) ? realLiteral(real.getValue()) : "";
  const auto integer = dyn_cast_if_present<IntegerAttr>(element);
  if (!integer || integer.getType().isInteger(1) || integer.getValue().getSignificantBits() > 31)
    return "";
  return std::to_string(cast<IntegerType>(integer.getType()).isUnsigned()
                            ? int64_t(integer.getValue().getZExtValue())
                            : integer.getValue().getSExtValue());
}

bool isPlainLiteral(StringRef literal) {
  static constexpr size_t kMostDigits = 4;
  size_t digits = 0;
  for (const char c : literal.split('e').first)
    digits += digits > 0 || (c >= '1' && c <= '9') ? size_t(llvm::isDigit(c)) : 0;
  return digits <= kMostDigits + size_t(literal.ends_with(".0"));
}

} // namespace tilescope::model
