// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/UfuncMethods.h"

#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/OffsetSearch.h"
#include "compiler/frontend/Remedies.h"

#include "llvm/ADT/StringSwitch.h"

#include <string>

namespace tilescope::compiler::frontend {

namespace {
/// `np.add.at(out, i, v)`: its function is `add`, its method `at`.
struct Ufunc {
  std::string_view function;
  std::string_view method;
  const ast::Call *call = nullptr;
};
} // namespace

static std::string textOf(const Frame &frame, const ast::Expr &expr) {
  SourceRange range = expr.range;
  range.file = frame.module->file;
  const std::string_view text = sourceText(frame, range);
  return std::string(text.find_first_of("\n#") == text.npos ? text : std::string_view());
}

/// The call of such a method that begins where the diagnostic's place does, or has it as its name.
static Ufunc findUfunc(const Frame &frame, const SourceRange &place) {
  Ufunc found;
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      const auto *method = call ? ast::as<ast::Attribute>(call->func) : nullptr;
      const auto *function = method ? ast::as<ast::Attribute>(method->value) : nullptr;
      const auto *library = function ? ast::as<ast::Name>(function->value) : nullptr;
      const bool isHere = library && (call->range.begin == place.begin ||
                                      function->attrRange.begin == place.begin ||
                                      method->attrRange.begin == place.begin);
      if (isHere && !frame.locals.find(library->id))
        found = {function->attr, method->attr, call};
      return !found.call;
    });
  return found;
}

/// `tl.atomic_add(out + i, v)` for `np.add.at(out, i, v)`.
static std::string atomicCode(const Frame &frame, const Ufunc &ufunc) {
  const std::string_view name = llvm::StringSwitch<std::string_view>(ufunc.function)
                                    .Case("add", "atomic_add")
                                    .Case("subtract", "atomic_add")
                                    .Case("maximum", "atomic_max")
                                    .Case("minimum", "atomic_min")
                                    .Case("bitwise_and", "atomic_and")
                                    .Case("bitwise_or", "atomic_or")
                                    .Case("bitwise_xor", "atomic_xor")
                                    .Default("");
  if (name.empty() || ufunc.call->args.size() != 3 || !ufunc.call->keywords.empty())
    return {};
  const std::string array = textOf(frame, *ufunc.call->args[0]);
  const std::string index = textOf(frame, *ufunc.call->args[1]);
  const std::string value = textOf(frame, *ufunc.call->args[2]);
  const auto *pointer = ast::as<ast::Name>(ufunc.call->args[0]);
  const Value *known = pointer ? frame.locals.find(pointer->id) : nullptr;
  if (!known || !known->tensor() || !known->tensor()->type.isPointer() || index.empty() ||
      value.empty())
    return {};
  const bool isSum = index.find_first_of("<>=&|^~") == std::string::npos;
  return "tl." + std::string(name) + "(" + array + " + " + (isSum ? index : asFactor(index)) +
         ", " + (ufunc.function == "subtract" ? "-" + asFactor(value) : value) +
         maskArgumentAt(frame, index) + ")";
}

/// The call of a kernel that reduces, or scans, one operand along its first axis; empty for others.
static std::string reducedCode(const Frame &frame, const Ufunc &ufunc) {
  const std::string both = std::string(ufunc.function) + "." + std::string(ufunc.method);
  const std::string_view name = llvm::StringSwitch<std::string_view>(both)
                                    .Case("add.reduce", "sum")
                                    .Case("maximum.reduce", "max")
                                    .Case("minimum.reduce", "min")
                                    .Case("bitwise_xor.reduce", "xor_sum")
                                    .Case("add.accumulate", "cumsum")
                                    .Case("multiply.accumulate", "cumprod")
                                    .Default("");
  if (name.empty() || ufunc.call->args.size() != 1 || !ufunc.call->keywords.empty())
    return {};
  const std::string value = textOf(frame, *ufunc.call->args[0]);
  return value.empty() ? value : "tl." + std::string(name) + "(" + value + ", axis=0)";
}

bool explainUfuncMethod(Diagnostic &diagnostic, const Frame &frame) {
  const Ufunc ufunc = findUfunc(frame, diagnostic.range);
  if (!ufunc.call || (ufunc.method != "at" && ufunc.method != "reduce" &&
                      ufunc.method != "accumulate" && ufunc.method != "outer"))
    return false;
  std::string code = ufunc.method == "at" ? atomicCode(frame, ufunc) : reducedCode(frame, ufunc);
  if (!code.empty()) {
    diagnostic.notes.push_back("kernels write `" + code + "`");
    SourceRange whole = ufunc.call->range;
    whole.file = diagnostic.range.file;
    if (hasLanguageName(frame))
      diagnostic.fixes = rewriteFix(frame, whole, whole, std::move(code));
  } else if (ufunc.method == "at") {
    diagnostic.notes.push_back("kernels update single elements with atomic operations, such as "
                               "`tl.atomic_add(out + i, v)`");
  } else if (ufunc.method == "outer") {
    diagnostic.notes.push_back("kernels combine rows and columns by their axes: `a[:, None]` and "
                               "`b[None, :]`");
  } else {
    const bool isScan = ufunc.method == "accumulate";
    diagnostic.notes.push_back(
        std::string("kernels write `") + (isScan ? "tl.associative_scan" : "tl.reduce") +
        "(v, 0, combine)`, where `combine(a, b)` is a `@triton.jit` function that returns two "
        "elements' result");
  }
  return true;
}

} // namespace tilescope::compiler::frontend
