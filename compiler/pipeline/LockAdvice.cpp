// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LockAdvice.h"

#include "compiler/pipeline/AccessCalls.h"
#include "compiler/syntax/Ast.h"

#include <algorithm>

namespace tilescope::compiler {

/// Whether an atomic operation orders what programs do around it.
static bool ordersPrograms(const ast::SyntaxTree &tree, const ast::Call &atomic) {
  return std::ranges::none_of(atomic.keywords, [&](const ast::Keyword *each) {
    const std::string_view code = tree.text(each->value->range);
    return (each->arg == "sem" && code.find("relaxed") != std::string_view::npos) ||
           (each->arg == "scope" && code.find("cta") != std::string_view::npos);
  });
}

/// The address of an atomic operation, which is of one of these names; empty for all else.
static std::string_view addressOf(const ast::SyntaxTree &tree, const ast::Node &node,
                                  bool isExchange) {
  const auto *call = ast::as<ast::Call>(&node);
  const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const ast::Expr *address = function ? argument(*call, 0, "pointer") : nullptr;
  const bool isNamed =
      function && (isExchange ? function->attr == "atomic_cas"
                              : std::string_view(function->attr).starts_with("atomic_"));
  return isNamed && address && ordersPrograms(tree, *call) ? tree.text(address->range)
                                                           : std::string_view();
}

std::string lockAdvice(const ast::SyntaxTree &tree, const InterpreterFinding &finding) {
  if (finding.isWithinProgram || !finding.otherRange || finding.otherRange->file != 0)
    return {};
  const ast::Node &function = functionAround(tree, finding.range);
  const Position first = std::min(finding.range.begin, finding.otherRange->begin);
  const Position last = std::max(finding.range.end, finding.otherRange->end);
  const ast::While *wait = nullptr;
  std::string_view lock;
  ast::walk(function, [&](const ast::Node &node) {
    const auto *loop = ast::as<ast::While>(&node);
    if (!loop || loop->range.end > first)
      return true;
    ast::walk(*loop, [&](const ast::Node &part) {
      if (const std::string_view address = addressOf(tree, part, true); !address.empty()) {
        wait = loop;
        lock = address;
      }
      return true;
    });
    return true;
  });
  bool isReleased = false;
  ast::walk(function, [&](const ast::Node &node) {
    isReleased |= wait && node.range.begin >= last && addressOf(tree, node, false) == lock;
    return !isReleased;
  });
  if (!isReleased)
    return {};
  return "the lock that line " + std::to_string(wait->range.begin.line + 1) +
         " waits for does not keep them apart: the loop ends while another program holds it, each "
         "of them has another lock, or it does not begin free";
}

} // namespace tilescope::compiler
