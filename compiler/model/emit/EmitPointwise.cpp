// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that compute each element by itself.
#include "compiler/model/emit/EmittedKernel.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// What an operation computes of `a`, `b` and `c`, for the kernel and for NumPy.
struct Formula {
  std::string triton, numpy;
};
} // namespace

static std::string numberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

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

static Formula formulaOf(Operation *operation, bool isReal) {
  return llvm::TypeSwitch<Operation *, Formula>(operation)
      .Case([](tm::AddOp) { return unary("a + b", "a + b"); })
      .Case([](tm::AndOp) { return unary("a & b", "a & b"); })
      .Case([](tm::OrOp) { return unary("a | b", "a | b"); })
      .Case([](tm::XorOp) { return unary("a ^ b", "a ^ b"); })
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
    if (isAlone && formula[i] >= 'a' && formula[i] <= 'c')
      result += "_ptr";
  }
  return result;
}

static IndexMap broadcastMap(RankedTensorType operand, RankedTensorType result) {
  IndexMap map;
  map.extents.assign(result.getShape().begin(), result.getShape().end());
  map.strides.assign(map.extents.size(), 0);
  const std::vector<int64_t> strides = rowStrides(operand.getShape());
  const size_t skipped = map.extents.size() - strides.size();
  for (size_t axis = 0; axis < strides.size(); ++axis)
    if (operand.getDimSize(unsigned(axis)) != 1)
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
  const auto type = cast<RankedTensorType>(operation->getResult(0).getType());
  const Formula formula =
      formulaOf(operation, isa<FloatType>(getElementTypeOrSelf(operation->getOperand(0))));
  if (formula.triton.empty() || type.getNumElements() == 0)
    return std::nullopt;
  EmittedKernel kernel;
  kernel.name = operation->getName().stripDialect().str();
  std::string loads;
  std::vector<std::string> pointers;
  for (const auto &[i, operand] : llvm::enumerate(operation->getOperands())) {
    const std::string name(1, char('a' + i));
    const auto own = cast<RankedTensorType>(operand.getType());
    pointers.push_back(name + "_ptr");
    kernel.arguments.push_back(tensorArgument(name + "_ptr", own.getShape(), own.getElementType(),
                                              inputData(own.getElementType(), unsigned(i))));
    loads += loadText(name, broadcastMap(own, type).text(name, kernel), own.getElementType());
  }
  pointers.push_back("out_ptr");
  kernel.parameters.insert(kernel.parameters.begin(), pointers.begin(), pointers.end());
  kernel.parameters.insert(kernel.parameters.end(), {"n", "BLOCK: tl.constexpr"});
  kernel.arguments.push_back(
      tensorArgument("out_ptr", type.getShape(), type.getElementType(),
                     expectedData(withPointers(formula.numpy), type.getNumElements())));
  kernel.arguments.push_back("n = " + std::to_string(type.getNumElements()));
  kernel.constexprs = {"BLOCK = 1024"};
  kernel.grid = {"\"cdiv(n, BLOCK)\""};
  kernel.body = "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    mask = at < n\n" +
                loads + "    tl.store(out_ptr + at, " + formula.triton + ", mask=mask)\n";
  return kernel;
}

} // namespace tilescope::model
