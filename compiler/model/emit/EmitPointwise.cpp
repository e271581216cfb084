// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that compute each element by itself.
#include "compiler/model/emit/EmittedKernel.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// What an operation computes of `a`, `b`, …, for the kernel and for NumPy.
struct Formula {
  std::string triton, numpy;
  /// So many operands are read.
  unsigned numRead = 5;
};
} // namespace

static Formula unary(const char *triton, const char *numpy) { return {triton, numpy}; }

static Formula withAlpha(StringRef triton, StringRef numpy, double alpha) {
  const auto filled = [&](StringRef text) {
    std::string result = text.str();
    const size_t at = result.find("ALPHA");
    return result.replace(at, 5, numberText(alpha));
  };
  return {filled(triton), filled(numpy)};
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
      .Case([](tm::ErfOp) { return unary("tl.erf(a)", "erf(a)"); })
      .Case([](tm::ExpOp) { return unary("tl.exp(a)", "exp(a)"); })
      .Case([](tm::FloorOp) { return unary("tl.floor(a)", "floor(a)"); })
      .Case([](tm::GeluOp op) {
        return op.getApproximate()
                   ? unary("a * tl.sigmoid(1.5957691216 * (a + 0.044715 * a * a * a))",
                           "a * sigmoid(1.5957691216 * (a + 0.044715 * a * a * a))")
                   : unary("0.5 * a * (1 + tl.erf(a * 0.7071067812))",
                           "0.5 * a * (1 + erf(a * 0.7071067812))");
      })
      .Case([](tm::HardSigmoidOp op) { return hardSigmoid(op); })
      .Case([](tm::LeakyReluOp op) {
        return withAlpha("tl.where(a > 0, a, ALPHA * a)", "where(a > 0, a, ALPHA * a)",
                         op.getAlpha().convertToFloat());
      })
      .Case([](tm::LogOp) { return unary("tl.log(a)", "log(a)"); })
      .Case([](tm::NegOp) { return unary("-a", "-a"); })
      .Case([](tm::NotOp) { return unary("a == 0", "a == 0"); })
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

/// Small whole exponents and roots are written out; what others do to negative numbers has no kernel.
static Formula power(tm::PowOp op, bool isReal) {
  const auto exponent = constantNumber(op.getRhs());
  if (!exponent || !isReal)
    return {};
  if (*exponent == 0.5)
    return {"tl.sqrt(a)", "sqrt(a)", 1};
  if (*exponent == -0.5)
    return {"1 / tl.sqrt(a)", "1 / sqrt(a)", 1};
  if (*exponent == -1)
    return {"1 / a", "1 / a", 1};
  if (*exponent != 1 && *exponent != 2 && *exponent != 3 && *exponent != 4)
    return {};
  std::string text = "a";
  for (int i = 1; i < int(*exponent); ++i)
    text += " * a";
  return {text, text, 1};
}

static Formula formulaOf(Operation *operation, bool isReal) {
  return llvm::TypeSwitch<Operation *, Formula>(operation)
      .Case([](tm::AddOp) { return unary("a + b", "a + b"); })
      .Case([](tm::AndOp) { return unary("a & b", "a & b"); })
      .Case([](tm::OrOp) { return unary("a | b", "a | b"); })
      .Case([](tm::XorOp) { return unary("a ^ b", "a ^ b"); })
      .Case([](tm::BatchNormOp op) { return batchNorm(op); })
      .Case([&](tm::PowOp op) { return power(op, isReal); })
      .Case([&](tm::DivOp) { return isReal ? unary("a / b", "a / b") : Formula(); })
      .Case([](tm::MaxOp) { return unary("tl.maximum(a, b)", "maximum(a, b)"); })
      .Case([](tm::MinOp) { return unary("tl.minimum(a, b)", "minimum(a, b)"); })
      .Case([](tm::MulOp) { return unary("a * b", "a * b"); })
      .Case([](tm::SubOp) { return unary("a - b", "a - b"); })
      .Case([](tm::CompareOp op) { return compareFormula(op.getPredicate()); })
      .Case([](tm::WhereOp) { return unary("tl.where(a != 0, b, c)", "where(a, b, c)"); })
      .Default([](Operation *op) { return unaryFormula(op); });
}

/// `a` becomes `a_ptr`: letters that stand alone.
static std::string withPointers(StringRef formula) {
  std::string result;
  const auto isPartOfWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  for (size_t i = 0; i < formula.size(); ++i) {
    const bool isAlone = (i == 0 || !isPartOfWord(formula[i - 1])) &&
                         (i + 1 == formula.size() || !isPartOfWord(formula[i + 1]));
    result.push_back(formula[i]);
    if (isAlone && formula[i] >= 'a' && formula[i] <= 'e')
      result += "_ptr";
  }
  return result;
}

/// The extents of an operand, so that axes of 1 and in front are repeated.
static std::vector<int64_t> operandShape(Operation *operation, unsigned i) {
  const RankedTensorType type = tensorType(operation->getOperand(i));
  std::vector<int64_t> shape = type.getShape().vec();
  // For each channel: the axes behind it are repeated.
  if (isa<tm::BatchNormOp>(operation) && i > 0)
    shape.resize(std::max<size_t>(1, size_t(tensorType(operation->getOperand(0)).getRank()) - 1),
                 1);
  return shape;
}

static IndexMap broadcastMap(ArrayRef<int64_t> operand, ArrayRef<int64_t> result) {
  IndexMap map{result.vec(), std::vector<int64_t>(result.size(), 0), 0};
  const std::vector<int64_t> strides = rowStrides(operand);
  const size_t skipped = result.size() - operand.size();
  for (size_t axis = 0; axis < strides.size(); ++axis)
    if (operand[axis] != 1)
      map.strides[skipped + axis] = strides[axis];
  return map;
}

/// The line that loads an operand; narrow types are computed with in fp32.
static std::string loadText(const std::string &name, const std::string &index, Type element) {
  const std::string place =
      index.empty() ? name + "_ptr" : name + "_ptr + " + index + ", mask=mask";
  const bool isNarrow = element.isF16() || element.isBF16();
  return "    " + name + " = tl.load(" + place + ")" + (isNarrow ? ".to(tl.float32)" : "") + "\n";
}

std::optional<EmittedKernel> emitPointwise(Operation *operation) {
  if (operation->getNumResults() != 1 || operation->getNumOperands() == 0)
    return std::nullopt;
  const Value result = operation->getResult(0);
  const RankedTensorType type = tensorType(result);
  const Formula formula =
      formulaOf(operation, isa<FloatType>(getElementTypeOrSelf(operation->getOperand(0))));
  if (formula.triton.empty() || type.getNumElements() == 0)
    return std::nullopt;
  EmittedKernel kernel;
  kernel.name = operation->getName().stripDialect().str();
  std::string loads;
  for (unsigned i = 0; i < std::min(formula.numRead, operation->getNumOperands()); ++i) {
    const std::string name(1, char('a' + i));
    const std::vector<int64_t> shape = operandShape(operation, i);
    kernel.read(name + "_ptr", operation->getOperand(i), shape);
    loads += loadText(name, broadcastMap(shape, type.getShape()).text(name, kernel),
                      tensorType(operation->getOperand(i)).getElementType());
  }
  kernel.write("out_ptr", result, type.getShape(), withPointers(formula.numpy));
  kernel.number("n", type.getNumElements());
  kernel.constexprs = {{"BLOCK", 1024}};
  kernel.grid = {"\"cdiv(n, BLOCK)\""};
  kernel.body = "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    mask = at < n\n" +
                loads + "    tl.store(out_ptr + at, " + formula.triton + ", mask=mask)\n";
  return kernel;
}

} // namespace tilescope::model
