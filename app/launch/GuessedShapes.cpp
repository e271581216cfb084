// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/GuessedShapes.h"

#include <cctype>

namespace tilescope::app {

/// Whether a message speaks of the argument: its name stands there as a word.
static bool names(const std::string &message, const std::string &argument) {
  const auto isLetter = [&](size_t at) {
    return at < message.size() &&
           (std::isalnum(static_cast<unsigned char>(message[at])) || message[at] == '_');
  };
  for (size_t at = message.find(argument); at != std::string::npos;
       at = message.find(argument, at + 1))
    if (!isLetter(at + argument.size()) && (at == 0 || !isLetter(at - 1)))
      return true;
  return false;
}

void doubtGuessedShapes(const profiler::LaunchPlan &plan,
                        std::vector<compiler::Diagnostic> &findings) {
  for (const profiler::PlanArgument &argument : plan.args) {
    if (!argument.tensor() || !argument.tensor()->isGuess)
      continue;
    for (compiler::Diagnostic &finding : findings) {
      if (finding.kind != compiler::DiagnosticKind::RunAccessOutside ||
          finding.severity != compiler::Severity::Error || !names(finding.message, argument.name))
        continue;
      finding.severity = compiler::Severity::Warning;
      finding.notes.push_back("the launch block guesses the shape of `" + argument.name +
                              "`: it may be too small; state it and remove `guessed`");
    }
  }
}

} // namespace tilescope::app
