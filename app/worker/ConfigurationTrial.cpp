// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/ConfigurationTrial.h"

#include "app/launch/OfferedConfigurations.h"

#include <algorithm>
#include <chrono>

namespace tilescope::app {

using namespace compiler;

/// A kernel's frontend takes a few milliseconds.
static constexpr std::chrono::milliseconds kBudget{200};

static CompileRequest configured(const CompileRequest &request,
                                 const Configuration &configuration) {
  CompileRequest changed = request;
  changed.stopAfter = StageId::Ttir;
  for (const auto &[name, value] : configuration.constexprs)
    changed.selection.constexprs[name] = value;
  for (const auto &[name, value] : configuration.options)
    changed.selection.options[name] = value;
  return changed;
}

static Diagnostic failureOf(const Configuration &configuration, const SourceRange &place,
                            const Diagnostic &error) {
  Diagnostic failure;
  failure.kind = error.kind;
  failure.severity = Severity::Warning;
  failure.range = place;
  failure.message =
      "the configuration " + configuration.text(", ") + " does not compile: " + error.message;
  if (!error.range.empty())
    failure.labels.push_back({error.range, "here"});
  failure.labels.insert(failure.labels.end(), error.labels.begin(), error.labels.end());
  failure.notes = error.notes;
  failure.notes.push_back("Triton tries each configuration at the first launch, and stops here");
  return failure;
}

std::vector<Diagnostic> configurationFailures(Compiler &compiler, const CompileRequest &request,
                                              const CompileResult &result, std::stop_token stop) {
  const std::vector<Configuration> &offered = result.configurations;
  std::vector<Diagnostic> failures;
  if (offered.size() < 2 || !result.stage(StageId::Ttir) || !result.stage(StageId::Ttir)->ok)
    return failures;
  const std::vector<SourceRange> places = configurationPlaces(request, result.kernel, offered);
  CompileHooks hooks;
  hooks.stop = stop;
  hooks.wantsText = [](StageId) { return false; };
  hooks.wantsPasses = false;
  const auto end = std::chrono::steady_clock::now() + kBudget;
  for (size_t i = 0; i < offered.size() && std::chrono::steady_clock::now() < end; ++i) {
    if (isCompiledFor(result, offered[i]))
      continue;
    const CompileOutcome outcome = compiler.compile(configured(request, offered[i]), hooks);
    if (outcome.cancelled)
      break;
    const auto error =
        std::ranges::find(outcome.result.diagnostics, Severity::Error, &Diagnostic::severity);
    // One configuration may be offered with several values of a heuristic.
    if (error != outcome.result.diagnostics.end() &&
        std::ranges::find(failures, places[i], &Diagnostic::range) == failures.end())
      failures.push_back(failureOf(offered[i], places[i], *error));
  }
  return failures;
}

} // namespace tilescope::app
