// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ValueAdvice.h"

#include "app/commands/LanguageNames.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using profiler::OutputResult;
using profiler::PlanArgument;

/// `x.to(tl.uint8)`
static bool castsTo(const ast::Node &node, std::string_view type) {
  const auto *call = ast::as<ast::Call>(&node);
  const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const auto *named = function && function->attr == "to" && call->args.size() == 1
                          ? ast::as<ast::Attribute>(call->args.front())
                          : nullptr;
  return named && named->attr == type;
}

/// Integers of one or two bytes that hold the low part of what is expected, or lie at an end of their range.
static void explainRange(profiler::Dtype dtype, const profiler::OutputComparison &comparison,
                         const KernelText &kernel, Diagnostic &diagnostic) {
  constexpr size_t kMostBytes = 2;
  const size_t size = profiler::dtypeSize(dtype);
  if (profiler::isFloat(dtype) || dtype == profiler::Dtype::Int1 || size > kMostBytes)
    return;
  const double numValues = std::exp2(8.0 * static_cast<double>(size));
  const double least = profiler::isSigned(dtype) ? -numValues / 2 : 0;
  const double most = least + numValues - 1;
  const double expected = comparison.firstExpected, actual = comparison.firstActual;
  const double apart = std::abs(expected - actual);
  const bool isOutside = expected < least || expected > most;
  const bool isWrapped = apart >= numValues - 1 && std::fmod(apart, numValues) == 0;
  // One side stopped at an end of the range where the other began anew.
  const bool isAtEnd = (expected == least || expected == most) && apart > numValues / 4;
  if (!isOutside && !isWrapped && !isAtEnd)
    return;
  const std::string name = languageName(dtype);
  bool isCast = false;
  kernel.walk([&](const ast::Node &node) { isCast |= castsTo(node, name); });
  diagnostic.notes.push_back(
      fmt::format("{} `{}`, which holds {:.0f} to {:.0f}: {} the low bits of what lies beyond; "
                  "`tl.clamp(x, {:.1f}, {:.1f}).to(tl.{})` stops at its ends{}",
                  isOutside ? fmt::format("{:g} is outside the range of", expected)
                            : std::string("what the kernel computes may be outside the range of"),
                  name, least, most, isCast ? "a cast keeps" : "arithmetic on it keeps", least,
                  most, name, isCast ? "" : ", where `x` has more bits"));
}

/// Whether the kernel calls an atomic function of the language on an array.
static bool updates(const KernelText &kernel, std::string_view function, std::string_view array) {
  bool found = false;
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *call = KernelText::callOf(&node, function);
    if (!call || call->args.empty())
      return;
    ast::walk(*call->args.front(), [&](const ast::Node &part) {
      const auto *name = ast::as<ast::Name>(&part);
      found |= name && name->id == array;
      return !found;
    });
  });
  return found;
}

/// A maximum of negative numbers that began with a larger one, and the like.
static void explainBegin(const PlanArgument &argument, const OutputResult &output,
                         const KernelText &kernel, Diagnostic &diagnostic) {
  const double actual = output.comparison->firstActual, expected = output.comparison->firstExpected;
  using Kind = profiler::TensorInit::Kind;
  const profiler::PlanTensor *tensor = argument.tensor();
  const bool isZeros = tensor && tensor->init.kind == Kind::Zeros;
  if (!isZeros || actual != 0)
    return;
  const bool isMaximum = expected < 0 && updates(kernel, "atomic_max", output.name);
  const bool isMinimum = expected > 0 && updates(kernel, "atomic_min", output.name);
  if (!isMaximum && !isMinimum)
    return;
  const bool isReal = profiler::isFloat(tensor->dtype);
  const std::string begin =
      isMaximum ? (isReal ? "-inf" : "-2147483648") : (isReal ? "inf" : "2147483647");
  diagnostic.notes.push_back(fmt::format("`{0}` begins with 0, and `atomic_{1}` keeps what is {2} "
                                         "than all that comes: begin with `{3}`, "
                                         "as in `init = \"full\", value = {3}`",
                                         output.name, isMaximum ? "max" : "min",
                                         isMaximum ? "larger" : "smaller", begin));
}

/// NumPy's functions pass NaN on, those of the language take the other number.
static void explainNan(const PlanArgument &argument, const profiler::OutputComparison &comparison,
                       const KernelText &kernel, Diagnostic &diagnostic) {
  if (!std::isnan(comparison.firstExpected) || std::isnan(comparison.firstActual) ||
      !argument.tensor())
    return;
  static constexpr std::string_view kInKernel[] = {"minimum", "maximum", "clamp", "max", "min"};
  std::string_view used;
  kernel.walk([&](const ast::Node &node) {
    for (const std::string_view each : kInKernel)
      if (used.empty() && KernelText::callOf(&node, each))
        used = each;
  });
  if (used.empty())
    return;
  diagnostic.notes.push_back(fmt::format(
      "NumPy's functions are NaN where an element is, `tl.{}` takes the other number{}", used,
      used == "minimum" || used == "maximum" || used == "clamp"
          ? ": `propagate_nan=tl.PropagateNan.ALL` passes NaN on"
          : ""));
}

/// Whether something is added to a running sum, or multiplied with it, as where blocks pass on what they come to.
static bool isCarriedOn(const KernelText &kernel, std::string_view scan) {
  std::set<std::string_view> names;
  const auto isScan = [&](const ast::Expr *value) {
    const auto *name = ast::as<ast::Name>(value);
    return KernelText::callOf(value, scan) || (name && names.contains(name->id));
  };
  // A carry that begins with 0, and to which nothing is added.
  const auto isConstant = [&](const ast::Expr *value) {
    const ast::Assign *only = kernel.onlyAssignment(KernelText::nameOf(value));
    return only && ast::is<ast::Constant>(only->value);
  };
  bool found = false;
  kernel.walk([&](const ast::Node &node) {
    if (const auto *assign = ast::as<ast::Assign>(&node); assign && isScan(assign->value))
      if (const auto *target = ast::as<ast::Name>(assign->targets[0]))
        names.insert(target->id);
    if (const auto *sum = ast::as<ast::BinOp>(&node))
      found |= (isScan(sum->left) || isScan(sum->right)) &&
               (sum->op != ast::BinaryOpKind::Add ||
                (!isConstant(sum->left) && !isConstant(sum->right)));
    if (const auto *step = ast::as<ast::AugAssign>(&node))
      found |= isScan(step->target) || isScan(step->value);
  });
  return found;
}

/// Running sums that begin anew at the first element of a block.
static void explainScan(const PlanArgument &argument, const OutputResult &output,
                        const KernelText &kernel, Diagnostic &diagnostic) {
  const std::vector<int64_t> &first = output.comparison->firstMismatch;
  if (!argument.tensor() || first.empty() || first.back() == 0)
    return;
  for (const std::string_view scan : {"cumsum", "cumprod"}) {
    bool isCalled = false;
    kernel.walk(
        [&](const ast::Node &node) { isCalled |= KernelText::callOf(&node, scan) != nullptr; });
    if (isCalled && !isCarriedOn(kernel, scan) &&
        argument.tensor()->expected.find(scan) != std::string::npos)
      diagnostic.notes.push_back(
          fmt::format("`tl.{}` knows one block alone and begins anew in the next one, as at "
                      "`{}[{}]`: what the elements before that block come to is missing there",
                      scan, output.name, fmt::join(first, ", ")));
  }
}

void explainValues(const PlanArgument &argument, const OutputResult &output,
                   const KernelText &kernel, Diagnostic &diagnostic) {
  const std::optional<profiler::Dtype> dtype = profiler::parseDtype(output.dtype);
  if (!output.comparison || !output.comparison->isWithExpected || !dtype)
    return;
  explainRange(*dtype, *output.comparison, kernel, diagnostic);
  explainBegin(argument, output, kernel, diagnostic);
  explainNan(argument, *output.comparison, kernel, diagnostic);
  explainScan(argument, output, kernel, diagnostic);
}

} // namespace tilescope::app
