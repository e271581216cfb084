// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CheckFiles.h"
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "profiler/data/Text.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace tilescope::app {

using compiler::Severity;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

struct Totals {
  size_t files = 0;
  size_t failedFiles = 0;
  size_t kernels = 0;
  size_t failedKernels = 0;
  size_t functions = 0;
  size_t failedFunctions = 0;
  size_t errors = 0;
  size_t warnings = 0;

  void add(const CheckedFile &file) {
    ++files;
    failedFiles += file.ok() ? 0 : 1;
    kernels += file.count(false);
    failedKernels += file.countFailed(false);
    functions += file.count(true);
    failedFunctions += file.countFailed(true);
    errors += file.count(Severity::Error) + (file.unreadable ? 1 : 0);
    warnings += file.count(Severity::Warning);
  }
};

/// `checked 120 of 1000 files` on a line of standard error that is written over again; nothing
/// where standard error is not a terminal.
class ProgressLine {
public:
  explicit ProgressLine(size_t total) : m_total(total), m_isShown(isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() { clear(); }

  void show(size_t numDone) {
    if (!m_isShown || m_total < 2)
      return;
    std::fprintf(stderr, "\r\033[Kchecked %zu of %zu files", numDone, m_total);
    std::fflush(stderr);
    m_isDirty = true;
  }
  void clear() {
    if (m_isDirty)
      std::fputs("\r\033[K", stderr);
    m_isDirty = false;
  }

private:
  size_t m_total;
  bool m_isShown;
  bool m_isDirty = false;
};

} // namespace

/// `3 kernels`, `1 kernel`
static std::string counted(size_t count, const std::string &what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

static double milliseconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

static json fileJson(const CheckedFile &file) {
  json kernels = json::array(), functions = json::array();
  json results = json::array(), diagnostics = json::array();
  for (const CheckedKernel &kernel : file.kernels) {
    (kernel.isDevice ? functions : kernels).push_back(kernel.name);
    results.push_back({{"kernel", kernel.name},
                       {"device", kernel.isDevice},
                       {"ok", kernel.ok},
                       {"ms", milliseconds(kernel.duration)}});
  }
  for (const Finding &finding : file.findings)
    diagnostics.push_back(diagnosticJson(finding.diagnostic, finding.files));
  json object = {{"file", file.path},
                 {"ok", file.ok()},
                 {"kernels", std::move(kernels)},
                 {"functions", std::move(functions)},
                 {"results", std::move(results)},
                 {"diagnostics", std::move(diagnostics)}};
  if (file.unreadable)
    object["unreadable"] = file.unreadable->message;
  return object;
}

static void printFindings(const CheckedFile &file) {
  if (file.unreadable)
    reportError(*file.unreadable);
  for (const Finding &finding : file.findings)
    std::fputs(finding.text.c_str(), stderr);
}

/// `softmax.py: 3 kernels, 1 failed, 2 functions: 2 errors`
static void printFile(const CheckedFile &file) {
  std::string line =
      profiler::printableLine(file.path) + ": " + counted(file.count(false), "kernel");
  const auto addFailed = [&](size_t failed) {
    if (failed != 0)
      line += ", " + std::to_string(failed) + " failed";
  };
  addFailed(file.countFailed(false));
  if (const size_t functions = file.count(true)) {
    line += ", " + counted(functions, "function");
    addFailed(file.countFailed(true));
  }
  if (const size_t errors = file.count(Severity::Error))
    line += ": " + counted(errors, "error");
  else
    line += file.unreadable ? ": unreadable" : ": ok";
  std::puts(line.c_str());
}

static void printTotals(const Totals &totals, std::chrono::nanoseconds duration) {
  const double seconds = milliseconds(duration) / 1000;
  std::printf("%s (%zu failed), %s (%zu failed), %s (%zu failed): %s, %s in %.1f s\n",
              counted(totals.files, "file").c_str(), totals.failedFiles,
              counted(totals.kernels, "kernel").c_str(), totals.failedKernels,
              counted(totals.functions, "function").c_str(), totals.failedFunctions,
              counted(totals.errors, "error").c_str(), counted(totals.warnings, "warning").c_str(),
              seconds);
}

static json totalsJson(const Totals &totals, std::chrono::nanoseconds duration) {
  return {{"files", totals.files},         {"failed_files", totals.failedFiles},
          {"kernels", totals.kernels},     {"failed_kernels", totals.failedKernels},
          {"functions", totals.functions}, {"failed_functions", totals.failedFunctions},
          {"errors", totals.errors},       {"warnings", totals.warnings},
          {"ms", milliseconds(duration)}};
}

int runCheck(const CheckOptions &options) {
  const Clock::time_point start = Clock::now();
  CheckFilesOptions check;
  Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error(), options.json);
  check.selection = std::move(*selection);
  check.syntaxOnly = options.syntaxOnly;
  check.numWorkers = options.jobs;
  if (options.timeLimit)
    check.patience = std::chrono::milliseconds(static_cast<int64_t>(*options.timeLimit * 1000));
  const Result<std::vector<ListedFile>> files = listFiles(options.files);
  if (!files)
    return reportError(files.error(), options.json);

  Totals totals;
  json documents = json::array();
  ProgressLine progress(files->size());
  const auto checked = [&](const CheckedFile &file) {
    totals.add(file);
    if (options.json) {
      documents.push_back(fileJson(file));
      return;
    }
    progress.clear();
    printFindings(file);
    if (files->size() > 1)
      printFile(file);
  };
  if (Status status =
          checkFiles(*files, check, checked, [&](size_t numDone) { progress.show(numDone); });
      !status)
    return reportError(status.error(), options.json);
  progress.clear();
  const auto duration = Clock::now() - start;
  const bool ok = totals.failedFiles == 0;
  if (options.json)
    printJson(
        {{"ok", ok}, {"files", std::move(documents)}, {"total", totalsJson(totals, duration)}});
  else if (files->size() > 1)
    printTotals(totals, duration);
  return ok ? 0 : 1;
}

} // namespace tilescope::app
