// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/GuessedLaunch.h"

#include <algorithm>
#include <cctype>

namespace tilescope::app {

/// Whether an expression uses a name.
static bool names(const std::string &expression, const std::string &name) {
  const auto isLetter = [&](size_t at) {
    return at < expression.size() &&
           (std::isalnum(static_cast<unsigned char>(expression[at])) || expression[at] == '_');
  };
  for (size_t at = expression.find(name); at != std::string::npos;
       at = expression.find(name, at + 1))
    if (!isLetter(at + name.size()) && (at == 0 || !isLetter(at - 1)))
      return true;
  return false;
}

bool isGuessedGrid(const compiler::SuggestedLaunch &suggestion) {
  const auto isExtent = [&](const std::string &size) {
    return std::ranges::any_of(suggestion.tensors, [&](const auto &tensor) {
      return std::ranges::any_of(tensor.second.shape,
                                 [&](const std::string &extent) { return names(extent, size); });
    });
  };
  const auto isArgument = [&](const std::string &size) {
    return std::ranges::any_of(suggestion.integers,
                               [&](const auto &integer) { return integer.second == size; });
  };
  for (const std::string &extent : suggestion.grid)
    for (const compiler::SuggestedSize &size : suggestion.sizes)
      if (names(extent, size.name) &&
          (!isExtent(size.name) || (names(extent, "cdiv") && !isArgument(size.name))))
        return true;
  return false;
}

static void doubt(compiler::Diagnostic &finding, const std::string &why) {
  finding.severity = compiler::Severity::Warning;
  finding.notes.push_back(why);
}

void doubtGuesses(const profiler::LaunchPlan &plan, std::vector<compiler::Diagnostic> &findings) {
  for (compiler::Diagnostic &finding : findings) {
    if (finding.kind != compiler::DiagnosticKind::RunAccessOutside ||
        finding.severity != compiler::Severity::Error)
      continue;
    for (const profiler::PlanArgument &argument : plan.args)
      if (argument.tensor() && argument.tensor()->isGuess && finding.cause.subject == argument.name)
        doubt(finding, "the launch block guesses the shape of `" + argument.name +
                           "`: it may be too small; state it and remove `guessed`");
    if (plan.isGridGuess)
      doubt(finding, "the launch block guesses `grid`: it may start too many programs; state it "
                     "and remove `guessed`");
  }
}

} // namespace tilescope::app
