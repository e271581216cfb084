// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/GuessedLaunch.h"

#include "compiler/support/Text.h"

#include <algorithm>

namespace tilescope::app {

/// Whether an extent is a constexpr that was found by its value, and others have the same; 1 says
/// little, since every loop moves on by a multiple of it.
static bool isAmbiguous(const std::string &extent, const std::vector<std::string> &grid,
                        const std::map<std::string, std::string> &constexprs) {
  const auto constant = constexprs.find(extent);
  if (constant == constexprs.end())
    return false;
  return constant->second == "1" || std::ranges::any_of(constexprs, [&](const auto &other) {
           return other.first != extent && other.second == constant->second &&
                  std::ranges::none_of(
                      grid, [&](const std::string &each) { return hasWord(each, other.first); });
         });
}

bool isGuessedGrid(const compiler::SuggestedLaunch &suggestion,
                   const std::map<std::string, std::string> &constexprs) {
  if (suggestion.isGridGuess ||
      std::ranges::any_of(suggestion.grid, [&](const std::string &extent) {
        return isAmbiguous(extent, suggestion.grid, constexprs);
      }))
    return true;
  const auto isExtent = [&](const std::string &size) {
    return std::ranges::any_of(suggestion.tensors, [&](const auto &tensor) {
      return std::ranges::any_of(tensor.second.shape,
                                 [&](const std::string &extent) { return hasWord(extent, size); });
    });
  };
  const auto isArgument = [&](const std::string &size) {
    return std::ranges::any_of(suggestion.integers,
                               [&](const auto &integer) { return integer.second == size; });
  };
  for (const std::string &extent : suggestion.grid)
    for (const compiler::SuggestedSize &size : suggestion.sizes)
      if (hasWord(extent, size.name) &&
          (!isExtent(size.name) || (hasWord(extent, "cdiv") && !isArgument(size.name))))
        return true;
  return false;
}

using compiler::Diagnostic;
using compiler::DiagnosticKind;

/// What may be wrong with a guessed shape where an argument has this finding.
static const char *shapeDoubt(DiagnosticKind kind) {
  return kind == DiagnosticKind::RunAccessOutside ? "it may be too small; write the right shape"
         : kind == DiagnosticKind::RunWriteRace
             ? "its rows may be longer; write the right shape, and the constexprs that it names,"
             : "it may be another; write the right shape";
}

static const char *gridDoubt(DiagnosticKind kind) {
  return kind == DiagnosticKind::RunMismatch ? "it may start too few programs, or too many"
                                             : "it may start too many programs";
}

static bool mayComeFromGuesses(DiagnosticKind kind) {
  return kind == DiagnosticKind::RunAccessOutside || kind == DiagnosticKind::RunWriteRace ||
         kind == DiagnosticKind::RunMismatch;
}

static void doubt(Diagnostic &finding, const std::string &guess, const std::string &doubt,
                  const std::optional<compiler::DiagnosticFix> &again) {
  finding.severity = compiler::Severity::Warning;
  const std::string note = again ? "the launch block guessed " + guess +
                                       " for the kernel as it was; for the kernel as it is now, it "
                                       "would be guessed otherwise"
                                 : "the launch block guesses " + guess + ": " + doubt +
                                       " into the block and remove `guessed` there";
  // It comes before what takes the launch for right.
  finding.notes.insert(finding.notes.begin(), note);
  if (again && std::ranges::find(finding.fixes, *again) == finding.fixes.end())
    finding.fixes.insert(finding.fixes.begin(), *again);
}

/// The same of indices that are not marked as guesses.
static void doubtRepeated(Diagnostic &finding, const std::string &indices,
                          const std::string &repeat) {
  finding.severity = compiler::Severity::Warning;
  finding.notes.insert(finding.notes.begin(), "the indices in `" + indices + "` are random: " +
                                                  repeat + " into the launch block");
}

/// An argument with random indices of rows of the array; null: there is none.
static const profiler::PlanArgument *indicesOf(const profiler::LaunchPlan &plan,
                                               const profiler::PlanArgument *array) {
  const profiler::PlanTensor *rows = array ? array->tensor() : nullptr;
  for (const profiler::PlanArgument &each : plan.args) {
    const profiler::PlanTensor *indices = each.tensor();
    if (rows && indices && indices != rows && (indices->isGuess || rows->isGuess) &&
        !rows->shape.empty() && indices->init.kind == profiler::TensorInit::Kind::Randint &&
        indices->init.low == 0 && indices->init.high == static_cast<double>(rows->shape.front()))
      return &each;
  }
  return nullptr;
}

void doubtGuesses(const profiler::LaunchPlan &plan,
                  const std::optional<compiler::DiagnosticFix> &again,
                  std::vector<Diagnostic> &findings, const std::vector<SourceRange> &inFront) {
  for (Diagnostic &finding : findings) {
    // No other shape and no other grid makes a negative index one of an element.
    const bool isInFront = finding.kind == DiagnosticKind::RunAccessOutside &&
                           std::ranges::find(inFront, finding.range) != inFront.end();
    if (!mayComeFromGuesses(finding.kind) || finding.severity == compiler::Severity::Note ||
        isInFront)
      continue;
    const profiler::PlanArgument *argument = plan.argument(finding.cause.subject);
    if (const auto *indices =
            finding.kind == DiagnosticKind::RunWriteRace ? indicesOf(plan, argument) : nullptr) {
      const std::string repeat = "they repeat, so that programs write to the same elements of `" +
                                 argument->name +
                                 "`; where yours do not, write them, or a file with them,";
      if (indices->tensor()->isGuess)
        doubt(finding, "the indices in `" + indices->name + "`", repeat, std::nullopt);
      else
        doubtRepeated(finding, indices->name, repeat);
      if (!again)
        continue;
    }
    // Programs that write one element of a vector do so whatever its length is.
    const bool isAnyLength = finding.kind == DiagnosticKind::RunWriteRace && argument &&
                             argument->tensor() && argument->tensor()->shape.size() < 2;
    if (argument && argument->tensor() && argument->tensor()->isGuess && !isAnyLength)
      doubt(finding, "the shape of `" + argument->name + "`", shapeDoubt(finding.kind), again);
    if (plan.isGridGuess)
      doubt(finding, "`grid`", gridDoubt(finding.kind) + std::string("; write the right one"),
            again);
  }
}

void doubtUnedited(std::vector<Diagnostic> &findings, const std::vector<SourceRange> &inFront) {
  for (Diagnostic &finding : findings) {
    const bool mayBe = finding.kind == DiagnosticKind::RunAccessOutside ||
                       finding.kind == DiagnosticKind::RunWriteRace;
    if (!mayBe || finding.severity != compiler::Severity::Error ||
        std::ranges::find(inFront, finding.range) != inFront.end())
      continue;
    finding.severity = compiler::Severity::Warning;
    finding.notes.insert(
        finding.notes.begin(),
        "the launch block is as Tilescope wrote it: sizes, shapes and grid are read "
        "off the kernel; where yours are others, write them into the block");
  }
}

} // namespace tilescope::app
