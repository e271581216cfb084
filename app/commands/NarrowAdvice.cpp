// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/NarrowAdvice.h"

#include "app/commands/LanguageNames.h"
#include "app/commands/NarrowAccumulators.h"
#include "app/commands/SeveralChanges.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

/// The argument of one or two bytes whose elements a load reads; null: it reads others.
static const profiler::PlanArgument *narrowArgument(const profiler::LaunchPlan &plan,
                                                    const ast::Call &load) {
  const profiler::PlanArgument *found = nullptr;
  if (load.args.empty())
    return nullptr;
  ast::walk(*load.args.front(), [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const profiler::PlanArgument *argument = name ? plan.argument(std::string(name->id)) : nullptr;
    const profiler::PlanTensor *tensor = argument ? argument->tensor() : nullptr;
    if (!found && tensor && tensor->dtype != profiler::Dtype::Int1 &&
        !profiler::isFloat(tensor->dtype) && profiler::dtypeSize(tensor->dtype) <= 2)
      found = argument;
    return !found;
  });
  return found;
}

namespace {
/// What the kernel computes in one or two bytes: a load's value, as it is, beside others of its kind.
class NarrowSums {
public:
  NarrowSums(const profiler::LaunchPlan &plan, const KernelText &kernel)
      : m_plan(plan), m_kernel(kernel) {}

  /// Whether a sum, difference, product or shift takes the load's value as it was loaded.
  bool take(const ast::Call &load) const {
    bool isFound = false;
    const auto look = [&](const ast::Expr &left, ast::BinaryOpKind op, const ast::Expr &right) {
      const bool takesLeft = isValueOf(left, load);
      if (keepsWidth(op) && (takesLeft || isValueOf(right, load)))
        isFound |= isNarrow(takesLeft ? right : left);
    };
    m_kernel.walk([&](const ast::Node &node) {
      if (const auto *operation = ast::as<ast::BinOp>(&node))
        look(*operation->left, operation->op, *operation->right);
      else if (const auto *update = ast::as<ast::AugAssign>(&node))
        look(*update->target, update->op, *update->value);
    });
    return isFound;
  }

private:
  static bool keepsWidth(ast::BinaryOpKind op) {
    using enum ast::BinaryOpKind;
    return op == Add || op == Sub || op == Mult || op == LShift;
  }

  /// Whether an expression is the load, some of its bits (`q & 15`, `q >> 4`), or a variable with only that.
  bool isValueOf(const ast::Expr &expr, const ast::Call &load, int depth = 0) const {
    constexpr int kMostSteps = 8;
    if (&expr == &load)
      return true;
    if (depth == kMostSteps)
      return false;
    const auto *bits = ast::as<ast::BinOp>(&expr);
    if (bits && (bits->op == ast::BinaryOpKind::BitAnd || bits->op == ast::BinaryOpKind::RShift))
      return isValueOf(*bits->left, load, depth + 1);
    const std::string_view name = KernelText::nameOf(&expr);
    const ast::Assign *assign = name.empty() ? nullptr : m_kernel.onlyAssignment(name);
    return assign && isValueOf(*assign->value, load, depth + 1);
  }

  /// Whether it leaves the width of what it is combined with: small integers, and numbers of the host
  /// or the text without a point.
  bool isNarrow(const ast::Expr &expr) const {
    bool isKnown = true;
    ast::walk(expr, [&](const ast::Node &node) {
      if (const auto *load = KernelText::callOf(&node, "load")) {
        isKnown &= narrowArgument(m_plan, *load) != nullptr;
        return false;
      }
      if (const auto *constant = ast::as<ast::Constant>(&node))
        isKnown &= constant->constantKind == ast::ConstantKind::Int;
      else if (const auto *name = ast::as<ast::Name>(&node))
        isKnown &= isNarrowName(name->id);
      else
        isKnown &= ast::is<ast::UnaryOp>(&node) || isArithmetic(node);
      return isKnown;
    });
    return isKnown;
  }

  static bool isArithmetic(const ast::Node &node) {
    const auto *operation = ast::as<ast::BinOp>(&node);
    return operation && operation->op != ast::BinaryOpKind::Div;
  }

  bool isNarrowName(std::string_view name) const {
    if (m_kernel.parameter(name)) {
      const profiler::PlanArgument *argument = m_plan.argument(std::string(name));
      const profiler::PlanScalar *number = argument ? argument->scalar() : nullptr;
      return number && !number->type.starts_with("fp") && number->type != "bf16";
    }
    const ast::Assign *assign = m_kernel.onlyAssignment(name);
    const ast::Call *load = assign ? KernelText::callOf(assign->value, "load") : nullptr;
    return load && narrowArgument(m_plan, *load);
  }

  const profiler::LaunchPlan &m_plan;
  const KernelText &m_kernel;
};
} // namespace

void explainWrappedSums(const KernelText &kernel, compiler::Diagnostic &diagnostic) {
  for (const NarrowAccumulator &sum :
       narrowAccumulators(kernel, {"int8", "uint8", "int16", "uint16"})) {
    const std::string name(sum.type->attr), type(kernel.text(*sum.type));
    const std::string wide = typeNamed(kernel, sum, "int32");
    std::vector<Change> changes{{sum.type->range, wide}};
    ast::walk(*sum.update, [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
      if (!function || function->attr != "to" || call->args.size() != 1 ||
          kernel.text(*call->args.front()) != type)
        return true;
      changes.push_back({call->range, std::string(kernel.text(*function->value))});
      return false;
    });
    const std::string bits = name.ends_with("16") ? "16" : "8";
    diagnostic.labels.push_back(
        {sum.update->range, "`" + sum.name + "` is " + name + ": the sum keeps " + bits +
                                " bits and wraps around at " + (bits == "16" ? "65536" : "256")});
    diagnostic.fixes.push_back(together(kernel, std::move(changes),
                                        "add up in `" + wide + "` in line " +
                                            std::to_string(sum.update->range.begin.line + 1)));
  }
}

/// Offers to compute with 32 bits and to store what lies beyond the type's ends as these, where nothing does so yet.
static void stopAtEnds(const profiler::LaunchPlan &plan, const KernelText &kernel,
                       std::vector<Change> conversions, compiler::Diagnostic &diagnostic) {
  const ast::Expr *stored = nullptr;
  const profiler::PlanArgument *array = nullptr;
  int numStores = 0;
  kernel.walk([&](const ast::Node &node) {
    if (const ast::Call *store = KernelText::callOf(&node, "store"); store && ++numStores == 1) {
      stored = store->args.size() > 1 ? store->args[1] : nullptr;
      array = narrowArgument(plan, *store);
    }
  });
  if (numStores != 1 || !array || !stored || !ast::is<ast::BinOp>(stored))
    return;
  const profiler::Dtype dtype = array->tensor()->dtype;
  const double numValues = std::exp2(8.0 * static_cast<double>(profiler::dtypeSize(dtype)));
  const double least = profiler::isSigned(dtype) ? -numValues / 2 : 0;
  const std::string type = languageName(dtype);
  conversions.push_back({{stored->range.begin, stored->range.begin}, "tl.clamp("});
  conversions.push_back(
      {{stored->range.end, stored->range.end},
       fmt::format(", {:.1f}, {:.1f}).to(tl.{})", least, least + numValues - 1, type)});
  diagnostic.fixes.push_back(
      together(kernel, std::move(conversions),
               "compute with 32 bits, and stop at the ends of `" + type + "`"));
}

void explainNarrow(const profiler::LaunchPlan &plan, const KernelText &kernel,
                   compiler::Diagnostic &diagnostic) {
  const NarrowSums sums(plan, kernel);
  const profiler::PlanArgument *first = nullptr;
  std::vector<Change> conversions;
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *load = KernelText::callOf(&node, "load");
    const profiler::PlanArgument *argument = load ? narrowArgument(plan, *load) : nullptr;
    if (!argument || !sums.take(*load))
      return;
    const auto *module = ast::as<ast::Name>(ast::as<ast::Attribute>(load->func)->value);
    const std::string conversion =
        ".to(" + std::string(module ? module->id : std::string_view("tl")) + ".int32)";
    conversions.push_back({{load->range.end, load->range.end}, conversion});
    diagnostic.fixes.push_back(
        {conversions.back().range, conversion,
         "add `" + conversion + "` to the load of `" + argument->name + "`"});
    first = first ? first : argument;
  });
  if (!first)
    return;
  const profiler::Dtype dtype = first->tensor()->dtype;
  const size_t bits = 8 * profiler::dtypeSize(dtype);
  diagnostic.notes.push_back(
      fmt::format("`{}` holds {}, so arithmetic on it keeps only {} bits and wraps around at {}; "
                  "`.to(tl.int32)` behind the load computes with 32 bits",
                  first->name, languageName(dtype), bits, int64_t{1} << bits));
  stopAtEnds(plan, kernel, std::move(conversions), diagnostic);
}

} // namespace tilescope::app
