// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/DType.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Remedies.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cctype>

namespace tilescope::compiler::frontend {

static std::optional<tt::InputPrecision> precisionNamed(std::string_view name) {
  return llvm::StringSwitch<std::optional<tt::InputPrecision>>(name)
      .Case("tf32", tt::InputPrecision::TF32)
      .Case("tf32x3", tt::InputPrecision::TF32x3)
      .Case("ieee", tt::InputPrecision::IEEE)
      .Case("bf16x3", tt::InputPrecision::BF16x3)
      .Case("bf16x6", tt::InputPrecision::BF16x6)
      .Default(std::nullopt);
}

static tt::InputPrecision inputPrecision(BuiltinCall &call) {
  std::string name = call.string(3);
  if (!name.empty() && !call.isNone(4))
    call.fail(4, DiagnosticKind::BadArgument,
              "only one of `input_precision` and `allow_tf32` can be specified");
  if (!call.isNone(4))
    name = call.boolean(4) ? "tf32" : "ieee";
  if (name.empty())
    name = call.ops.rules().defaultDotPrecision;
  std::optional<tt::InputPrecision> precision = precisionNamed(name);
  if (!precision)
    call.fail(3, DiagnosticKind::BadArgument,
              "`input_precision` must be one of tf32, tf32x3, ieee, bf16x3, bf16x6, got \"" + name +
                  "\"");
  return *precision;
}

/// The smallest extent of the inner dimension that the matrix units take.
static int64_t minimumInner(DType type) {
  switch (bitWidth(type)) {
  case 8:
    return 32;
  case 16:
    return 16;
  case 32:
    return 8;
  default:
    return 4;
  }
}

/// What is multiplied most often.
static constexpr DType kFactorTypes[] = {DType::Fp16, DType::Fp32};

/// What NumPy makes of two vectors there, as a kernel writes it.
static void explainVectors(const BuiltinCall &call, std::vector<std::string> &notes,
                           std::vector<DiagnosticFix> &fixes) {
  const std::string_view left = call.text(0), right = call.text(1);
  const bool hasSources = !left.empty() && !right.empty();
  const std::string code = hasSources ? productSum(left, right) : productSum("x", "y");
  notes.push_back("it multiplies matrices; the sum of the products of two blocks with one "
                  "dimension is `" +
                  code + "`");
  const Frame &frame = call.emitter.frame();
  if (hasSources && call.isNone(2) && !call.isGiven(6) && hasLanguageName(frame))
    fixes = rewriteFix(frame, call.range, call.range, code);
}

/// A matrix and a vector, of which NumPy makes sums of products.
static void explainMatrixVector(const BuiltinCall &call, const Tensor &a, const Tensor &b,
                                std::vector<std::string> &notes,
                                std::vector<DiagnosticFix> &fixes) {
  const std::string code = matrixVectorSum(Value(a), Value(b), call.text(0), call.text(1));
  if (code.empty())
    return;
  notes.push_back(
      "it multiplies two matrices; of a matrix and a vector, the sums of the products are `" +
      code + "`");
  const Frame &frame = call.emitter.frame();
  if (call.isNone(2) && !call.isGiven(6) && hasLanguageName(frame))
    fixes = rewriteFix(frame, call.range, call.range, code);
}

static bool isName(std::string_view code) {
  return !code.empty() && std::ranges::all_of(code, [](unsigned char each) {
    return std::isalnum(each) || each == '_';
  });
}

/// Of factors of two types, an integer takes that of a float, a float that of a narrower one; else the second that of
/// the first. Of two integers, none holds what the other may be: no fix says which values are meant.
[[noreturn]] static void failFactorTypes(const BuiltinCall &call, const Tensor &a,
                                         const Tensor &b) {
  const bool areFloats = isStandardFloat(a.dtype()) && isStandardFloat(b.dtype());
  const bool isFirst = areFloats ? bitWidth(a.dtype()) > bitWidth(b.dtype())
                                 : isStandardFloat(b.dtype()) && !isStandardFloat(a.dtype());
  const size_t converted = isFirst ? 0 : 1;
  const std::string from(call.text(converted)), to(call.text(1 - converted));
  std::vector<std::string> notes;
  std::vector<DiagnosticFix> fixes;
  if (isInteger(a.dtype()) && isInteger(b.dtype())) {
    notes.push_back(
        "integers are multiplied as int8 with int8; values that int8 cannot hold, such as those "
        "of uint8 above 127, are exact up to 2048 as fp16: `.to(tl.float16)` of both");
  } else if (!from.empty() && isName(to)) {
    const std::string code = (isName(from) ? from : "(" + from + ")") + ".to(" + to + ".dtype)";
    notes.push_back("`" + code + "` has the type of `" + to + "`");
    const SourceRange range = call.rangeOf(converted);
    fixes = rewriteFix(call.emitter.frame(), range, range, code);
  }
  call.fail(1, DiagnosticKind::TypeMismatch,
            Message("both operands must be same dtype, got {} and {}", a.type.scalar, b.type.scalar)
                .needs(Need::SameDType),
            std::move(notes), std::move(fixes));
}

/// `y` of `y.T` and of `tl.trans(y)`, `tl.trans(y)` of `y`.
static std::string transposed(std::string_view code) {
  constexpr std::string_view kMember = ".T", kCall = "tl.trans(";
  const std::string_view plain = code.ends_with(kMember) ? code.substr(0, code.size() - 2)
                                 : code.starts_with(kCall) && code.ends_with(')')
                                     ? code.substr(kCall.size(), code.size() - kCall.size() - 1)
                                     : std::string_view();
  const bool isPlain = !plain.empty() && std::ranges::all_of(plain, [](char each) {
    return each == '.' || isName(std::string_view(&each, 1));
  });
  return isPlain ? std::string(plain) : "tl.trans(" + std::string(code) + ")";
}

/// Whether the product with one factor of two dimensions transposed is what it is added to; also where nothing is known
/// of that.
static bool fitsTransposed(const BuiltinCall &call, const Tensor &a, const Tensor &b,
                           size_t factor) {
  Shape first = a.type.shape, second = b.type.shape;
  if (first.size() != 2)
    return factor == 1 && first.back() == second.back();
  std::reverse((factor == 0 ? first : second).begin(), (factor == 0 ? first : second).end());
  if (first[1] != second[0])
    return false;
  const auto *sum = call.isNone(2) ? nullptr : call[2].tensor();
  return !sum || sum->type.shape == Shape{first[0], second[1]};
}

/// Rows of the first factor and columns of the second one do not fit together.
[[noreturn]] static void failInner(const BuiltinCall &call, const Tensor &a, const Tensor &b) {
  const size_t rank = a.type.shape.size();
  std::vector<std::string> notes;
  std::vector<DiagnosticFix> fixes;
  const bool isSecond = fitsTransposed(call, a, b, 1);
  if (b.type.shape[rank - 2] == 1) {
    // Transposed, it has a single column, and what it is added to is as wide as ever.
    notes.push_back(
        "the second input has a single row: an index down its rows, as `k[:, None]`, is "
        "missing from its address");
  } else if (isSecond || fitsTransposed(call, a, b, 0)) {
    const size_t factor = isSecond ? 1 : 0;
    const std::string_view code = call.text(factor);
    const std::string written = transposed(code);
    notes.push_back("transpose the " + std::string(isSecond ? "second" : "first") +
                    " input: `tl.trans`, or `.T`");
    if (written.size() < code.size())
      notes.back() = "the " + std::string(isSecond ? "second" : "first") +
                     " input is right without its transposition";
    const SourceRange range = call.rangeOf(factor);
    if (rank == 2 && !code.empty() && hasLanguageName(call.emitter.frame()))
      fixes = rewriteFix(call.emitter.frame(), range, range, written);
  }
  call.fail(1, DiagnosticKind::ShapeMismatch,
            {"first input shape {} and second input shape {} are not compatible for matmul "
             "(second dimension of first input must be equal to first dimension of second input)",
             a.type.shape, b.type.shape},
            std::move(notes), std::move(fixes));
}

static void checkFactors(BuiltinCall &call, const Tensor &a, const Tensor &b) {
  size_t rank = a.type.shape.size();
  if (rank < 2 || b.type.shape.size() != rank) {
    std::vector<std::string> notes;
    std::vector<DiagnosticFix> fixes;
    if (areVectors(Value(a), Value(b)))
      explainVectors(call, notes, fixes);
    else
      explainMatrixVector(call, a, b, notes, fixes);
    call.fail(1, DiagnosticKind::ShapeMismatch,
              Message("both inputs of `dot` must have the same rank of at least 2, got {} and {}",
                      a.type, b.type)
                  .wants(kFactorTypes),
              std::move(notes), std::move(fixes));
  }
  for (const Tensor *factor : {&a, &b})
    if (factor->type.isPointer())
      call.fail(factor == &a ? 0 : 1, DiagnosticKind::TypeMismatch,
                Message("`dot` of pointers").wants(kFactorTypes));
  bool bothFp8 = isFp8(a.dtype()) && isFp8(b.dtype());
  if (!bothFp8 && a.dtype() != b.dtype())
    failFactorTypes(call, a, b);
  if (!bothFp8 && a.dtype() != DType::Int8 && !isStandardFloat(a.dtype()))
    call.fail(0, DiagnosticKind::DtypeUnsupported,
              Message("unsupported dtype {} in `dot`: only int8, fp8, fp16, bf16, fp32 and fp64 "
                      "are supported",
                      a.type.scalar)
                  .wants(kFactorTypes));
  if (a.type.shape[rank - 1] != b.type.shape[rank - 2])
    failInner(call, a, b);
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    if (a.type.shape[dim] != b.type.shape[dim])
      call.fail(1, DiagnosticKind::ShapeMismatch, "batch dimensions of `dot` must be equal");
  int64_t inner = a.type.shape[rank - 1], minimum = minimumInner(a.dtype());
  if (inner < minimum)
    call.emitter.failAt(call.range, DiagnosticKind::BadShape,
                        "input shapes should have M >= 1, N >= 1 and K >= " +
                            std::to_string(minimum) + ", but K is " + std::to_string(inner));
}

static DType resultType(BuiltinCall &call, DType factor, const std::optional<Tensor> &accumulator) {
  if (factor == DType::Int8)
    return DType::Int32;
  if (factor == DType::Fp32 || factor == DType::Bf16)
    return DType::Fp32;
  if (factor == DType::Fp64)
    return DType::Fp64;
  if (call.isNone(6))
    return accumulator ? accumulator->dtype() : DType::Fp32;
  DType type = call.dtype(6).dtype;
  if (type == DType::Bf16)
    call.fail(6, DiagnosticKind::DtypeUnsupported,
              "out_dtype=bfloat16 is unsupported: use out_dtype=float32 and cast the result");
  return type;
}

/// Without `out_dtype` the product has the accumulator's type here, as in Triton since 3.8.
static void warnOutType(const BuiltinCall &call, const Tensor &accumulator) {
  const Frame &frame = call.emitter.frame();
  if (!call.isNone(6) || accumulator.dtype() == DType::Fp32 || frame.module->isPrelude)
    return;
  const std::string type = "tl." + constant::DType::of(accumulator.dtype()).languageName();
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = call.rangeOf(2);
  // Older versions take the accumulator that the factors ask for.
  const std::string versions =
      accumulator.dtype() == DType::Int32 ? "Triton 3.3 to 3.6 do" : "Triton up to 3.6 does";
  diagnostic.message = versions +
                       " not compile this: without `out_dtype` it adds to an accumulator of "
                       "float32 alone, and this one is " +
                       type;
  diagnostic.notes = {
      "give `out_dtype=" + type + "`" +
      (isStandardFloat(accumulator.dtype())
           ? ", or begin with `tl.zeros(…, dtype=tl.float32)`, which loses fewer digits"
           : "")};
  const std::string code(sourceText(frame, call.range));
  if (code.ends_with(')') && !code.ends_with(",)"))
    diagnostic.fixes = rewriteFix(frame, call.range, call.range,
                                  code.substr(0, code.size() - 1) + ", out_dtype=" + type + ")");
  call.emitter.report(std::move(diagnostic));
}

/// The newest versions of Triton take fewer columns of wide factors than the others.
static void warnInner(const BuiltinCall &call, const Tensor &a) {
  constexpr int64_t kOlderMinimum = 16;
  const int64_t inner = a.type.shape.back();
  const Frame &frame = call.emitter.frame();
  if (inner >= std::max(kOlderMinimum, minimumInner(a.dtype())) || frame.module->isPrelude)
    return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadShape;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = call.range;
  diagnostic.message =
      "Triton up to 3.6 does not compile this: K must be at least 16 there, and is " +
      std::to_string(inner);
  call.emitter.report(std::move(diagnostic));
}

static Value dot(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  Tensor a = call.tensor(0), b = call.tensor(1);
  for (auto [factor, parameter] : {std::pair(&a, 7), std::pair(&b, 8)})
    if (call.boolean(parameter) && factor->type.shape.size() == 2)
      *factor = ops.permute(*factor, {1, 0});
  checkFactors(call, a, b);
  warnInner(call, a);
  // No instruction takes this format.
  if (a.dtype() == DType::Fp8e4b15 || b.dtype() == DType::Fp8e4b15)
    for (Tensor *factor : {&a, &b})
      *factor = ops.cast(*factor, ScalarType{DType::Fp16});
  std::optional<Tensor> accumulator;
  if (!call.isNone(2))
    accumulator = call.tensor(2);
  DType type = resultType(call, a.dtype(), accumulator);
  size_t rank = a.type.shape.size();
  Shape shape = a.type.shape;
  shape[rank - 1] = b.type.shape[rank - 1];
  ops.checkShape(shape);
  Type result(ScalarType{type}, shape);
  if (accumulator && accumulator->type != result)
    call.fail(2, DiagnosticKind::TypeMismatch,
              {"the accumulator must be {}, got {}", result, accumulator->type});
  if (accumulator)
    warnOutType(call, *accumulator);
  // Leading dimensions beyond one batch dimension are merged.
  if (rank > 3) {
    auto merge = [&](Tensor &tensor) {
      int64_t batch =
          tensor.type.numElements() / (tensor.type.shape[rank - 1] * tensor.type.shape[rank - 2]);
      Shape merged{batch, tensor.type.shape[rank - 2], tensor.type.shape[rank - 1]};
      tensor = ops.reshape(tensor, merged, false);
    };
    merge(a);
    merge(b);
    if (accumulator)
      merge(*accumulator);
  }
  Shape flat = a.type.shape;
  flat.back() = b.type.shape.back();
  Tensor c = accumulator ? *accumulator : ops.full(Type(ScalarType{type}, flat), 0);
  int64_t imprecise = 0;
  bool isFp8Dot = isFp8(a.dtype()) && isFp8(b.dtype());
  if (!call.isNone(5)) {
    imprecise = call.integer(5);
    if (isFp8Dot && imprecise > a.type.shape.back())
      call.fail(5, DiagnosticKind::BadArgument, "max_num_imprecise_acc must be <= K");
  } else if (isFp8Dot) {
    imprecise = ops.rules().maxNumImpreciseAcc();
  }
  auto op = ops.create<tt::DotOp>(c.handle.getType(), a.handle, b.handle, c.handle,
                                  inputPrecision(call), static_cast<uint32_t>(imprecise));
  Tensor product = ops.wrap(op, c.type);
  return rank > 3 ? ops.reshape(product, shape, false) : product;
}

std::span<const Builtin> dotBuiltins() {
  static const Builtin builtins[] = {
      {"dot",
       "input, other, acc=None, input_precision=None, allow_tf32=None, "
       "max_num_imprecise_acc=None, out_dtype=None, trans_a=False, trans_b=False",
       dot},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
