// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DroppedFractions.h"

#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

/// The names of what is computed of loaded elements, in the order of the text.
static std::set<std::string_view> loadedNames(const KernelText &kernel) {
  std::set<std::string_view> names;
  kernel.walk([&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    if (!assign)
      return;
    bool isLoaded = false;
    ast::walk(*assign->value, [&](const ast::Node &part) {
      const auto *name = ast::as<ast::Name>(&part);
      isLoaded |= KernelText::callOf(&part, "load") || (name && names.contains(name->id));
      return !isLoaded;
    });
    if (const std::string_view target = KernelText::nameOf(assign->targets.front());
        isLoaded && !target.empty())
      names.insert(target);
  });
  return names;
}

/// The quotients without their fractions of what is loaded.
static std::vector<const ast::BinOp *> wholeQuotients(const KernelText &kernel) {
  const std::set<std::string_view> names = loadedNames(kernel);
  std::vector<const ast::BinOp *> found;
  kernel.walk([&](const ast::Node &node) {
    const auto *quotient = ast::as<ast::BinOp>(&node);
    if (!quotient || quotient->op != ast::BinaryOpKind::FloorDiv)
      return;
    bool isLoaded = false;
    ast::walk(*quotient, [&](const ast::Node &part) {
      const auto *name = ast::as<ast::Name>(&part);
      isLoaded |= KernelText::callOf(&part, "load") || (name && names.contains(name->id));
      return !isLoaded;
    });
    if (isLoaded)
      found.push_back(quotient);
  });
  return found;
}

/// Where the sign of a quotient is; empty: not on the line of what is divided.
static SourceRange signOf(const KernelText &kernel, const ast::BinOp &quotient) {
  const std::string_view whole = kernel.text(quotient), left = kernel.text(*quotient.left);
  const auto begin = static_cast<size_t>(left.data() + left.size() - whole.data());
  const size_t at = whole.find("//", begin);
  if (at == std::string_view::npos || whole.substr(begin, at - begin).find('\n') != whole.npos)
    return {};
  Position sign = quotient.left->range.end;
  sign.column += static_cast<uint32_t>(at - begin);
  Position end = sign;
  end.column += 2;
  return {sign, end};
}

static bool hasFraction(double value) { return std::isfinite(value) && value != std::trunc(value); }

void explainDroppedFractions(const KernelText &kernel, const profiler::PlanArgument &argument,
                             const profiler::OutputResult &output,
                             compiler::Diagnostic &diagnostic) {
  const profiler::OutputComparison &comparison = *output.comparison;
  const std::string &expected = argument.tensor() ? argument.tensor()->expected : std::string();
  const double first = comparison.firstExpected, worst = comparison.worstExpected;
  if (!comparison.isWithExpected || !argument.tensor() ||
      !profiler::isFloat(argument.tensor()->dtype) ||
      (!hasFraction(first) && !hasFraction(worst)) || expected.find('/') == std::string::npos ||
      expected.find("//") != std::string::npos)
    return;
  const std::vector<const ast::BinOp *> quotients = wholeQuotients(kernel);
  if (quotients.empty())
    return;
  diagnostic.notes.push_back("`//` drops the fraction of a quotient, as `7 // 2` is 3, and "
                             "`expected` has `/`, which keeps it: 3.5");
  for (const ast::BinOp *quotient : quotients) {
    const SourceRange sign = signOf(kernel, *quotient);
    if (sign.empty())
      continue;
    diagnostic.labels.push_back({quotient->range, "this drops the fraction"});
    diagnostic.fixes.push_back({sign, "/", "write `/`"});
  }
}

} // namespace tilescope::app
