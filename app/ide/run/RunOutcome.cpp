// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/RunOutcome.h"

#include "app/commands/InterpreterRun.h"
#include "app/ide/run/OutputFaults.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/run/RunText.h"
#include "compiler/artifacts/RunDiagnostics.h"
#include "compiler/artifacts/RunFindings.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::Severity;
using views::ConsoleLine;
using views::RunResults;

static QString text(const std::string &value) { return QString::fromStdString(value); }

/// What programs write against each other there, in words; empty: nothing.
static std::string raceAt(const LaunchRun &run, const SourceRange &range) {
  const auto found = std::ranges::find_if(run.diagnostics, [&](const Diagnostic &each) {
    return each.kind == compiler::DiagnosticKind::RunWriteRace && each.range == range;
  });
  return found == run.diagnostics.end() ? "" : found->message;
}

/// Where it ran; on the CPU, what executed it.
static QString placeOf(const profiler::Measurement &measurement, const QString &place) {
  if (isNativeRun(measurement))
    return RunHistory::tr("native code");
  return measurement.timeSource == profiler::TimeSource::Interpreter ? RunHistory::tr("interpreter")
                                                                     : place;
}

views::RunResultsPointer resultsOf(const LaunchRun &run, const views::RunStamp &stamp,
                                   std::shared_ptr<QTemporaryDir> folder) {
  auto results = std::make_shared<RunResults>();
  results->stamp = stamp;
  results->folder = std::move(folder);
  results->findings = run.diagnostics;
  std::ranges::stable_sort(results->findings, {}, &Diagnostic::range);
  results->outputFaults = outputFaults(run);
  results->files = run.files;
  results->writers = run.writers;
  results->hasRun = (run.measurement && run.measurement->timeUs) || !run.faults.empty() ||
                    std::ranges::any_of(run.diagnostics, compiler::isOfRun);
  if (run.measurement) {
    results->grid = run.measurement->grid;
    results->stamp.place = placeOf(*run.measurement, stamp.place);
  }
  for (const compiler::RunFault &fault : run.faults)
    results->faults.push_back({fault.programId, fault.range, raceAt(run, fault.range)});
  const auto first = std::ranges::find(run.diagnostics, Severity::Error, &Diagnostic::severity);
  results->ok = run.measurement && first == run.diagnostics.end() &&
                std::ranges::none_of(run.measurement->outputs, &profiler::OutputResult::isWrong);
  if (run.measurement) {
    results->status =
        first == run.diagnostics.end()
            ? runSummary(*run.measurement) + differenceSummary(*run.measurement)
            : faultSummary(run.diagnostics, results->hasRun) + checkedSummary(*run.measurement);
    results->outputs = run.measurement->outputs;
    std::stable_partition(results->outputs.begin(), results->outputs.end(),
                          [](const profiler::OutputResult &output) { return output.changed; });
    if (!run.measurement->kernel.empty())
      results->stamp.kernel = text(run.measurement->kernel);
    return results;
  }
  const Error &error = run.measurement.error();
  results->status = text(error.message);
  if (!error.hint.empty())
    results->status += QStringLiteral(" — ") + text(error.hint);
  if (error.message.empty())
    results->status = first != run.diagnostics.end()
                          ? faultSummary(run.diagnostics, results->hasRun)
                          : RunHistory::tr("The run failed.");
  return results;
}

static ConsoleLine::Kind kindOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return ConsoleLine::Kind::Error;
  case Severity::Warning:
    return ConsoleLine::Kind::Warning;
  case Severity::Note:
    break;
  }
  return ConsoleLine::Kind::Note;
}

std::vector<views::ConsoleLine> consoleLines(const LaunchRun &run, const RunResults &results) {
  std::vector<std::shared_ptr<const compiler::SourceFile>> files;
  for (const compiler::SourceFile &file : run.files)
    files.push_back(std::make_shared<const compiler::SourceFile>(file));
  const auto fileOf = [&](const SourceRange &range) {
    return range.file < files.size() ? files[range.file] : nullptr;
  };
  std::vector<ConsoleLine> lines;
  const auto add = [&](ConsoleLine::Kind kind, const std::string &said, const SourceRange &range) {
    for (const QString &line : text(said).split(u'\n', Qt::SkipEmptyParts))
      lines.push_back({kind, line, fileOf(range), range});
  };
  for (const compiler::InterpreterPrint &print : run.prints)
    add(ConsoleLine::Kind::Print, print.text, print.range);
  for (const Diagnostic &finding : run.diagnostics) {
    add(kindOf(finding.severity), finding.message, finding.range);
    for (const compiler::DiagnosticLabel &label : finding.labels)
      add(ConsoleLine::Kind::Note, label.message, label.range);
    for (const std::string &note : finding.notes)
      add(ConsoleLine::Kind::Note, note, finding.range);
  }
  if (run.measurement)
    for (const std::string &note : run.measurement->notes)
      lines.push_back({ConsoleLine::Kind::Note, text(note)});
  lines.push_back(
      {run.measurement ? ConsoleLine::Kind::Note : ConsoleLine::Kind::Error, results.status});
  return lines;
}

} // namespace tilescope::app
