// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DiagnosticText.h"

#include "app/commands/SourceExcerpt.h"
#include "profiler/data/Text.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::Severity;
using compiler::SourceFile;
using nlohmann::json;

static const char *severityName(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  return "error";
}

static std::string filePath(const SourceRange &range, const std::vector<SourceFile> &files) {
  return range.file < files.size() ? files[range.file].path : std::string("<unknown>");
}

static std::string place(const SourceRange &range, const std::vector<SourceFile> &files) {
  // A line break in a file's name would forge a separate line.
  return profiler::printableLine(filePath(range, files)) + ":" +
         std::to_string(range.begin.line + 1) + ":" + std::to_string(range.begin.column + 1) + ": ";
}

static std::string excerpt(const SourceRange &range, const std::vector<SourceFile> &files) {
  return range.file < files.size() ? sourceExcerpt(range, files[range.file].text) : std::string();
}

std::string diagnosticHeadline(const Diagnostic &diagnostic, const std::vector<SourceFile> &files) {
  return place(diagnostic.range, files) + severityName(diagnostic.severity) + ": " +
         diagnostic.message + "\n";
}

std::string diagnosticText(const Diagnostic &diagnostic, const std::vector<SourceFile> &files) {
  std::string text = diagnosticHeadline(diagnostic, files) + excerpt(diagnostic.range, files);
  for (const compiler::DiagnosticLabel &label : diagnostic.labels)
    text +=
        place(label.range, files) + "note: " + label.message + "\n" + excerpt(label.range, files);
  for (const std::string &note : diagnostic.notes)
    text += place(diagnostic.range, files) + "note: " + note + "\n";
  for (const compiler::DiagnosticFix &fix : diagnostic.fixes)
    text += place(fix.range, files) + "note: fix: " + fix.title + "\n";
  return profiler::printable(text);
}

json rangeJson(const SourceRange &range, const std::vector<SourceFile> &files) {
  return {{"file", filePath(range, files)},
          {"line", range.begin.line + 1},
          {"column", range.begin.column + 1},
          {"end_line", range.end.line + 1},
          {"end_column", range.end.column + 1}};
}

json diagnosticJson(const Diagnostic &diagnostic, const std::vector<SourceFile> &files) {
  json object = rangeJson(diagnostic.range, files);
  object["severity"] = severityName(diagnostic.severity);
  object["kind"] = compiler::diagnosticId(diagnostic.kind);
  object["message"] = diagnostic.message;
  object["notes"] = diagnostic.notes;
  object["labels"] = json::array();
  for (const compiler::DiagnosticLabel &label : diagnostic.labels) {
    json entry = rangeJson(label.range, files);
    entry["message"] = label.message;
    object["labels"].push_back(std::move(entry));
  }
  object["fixes"] = json::array();
  for (const compiler::DiagnosticFix &fix : diagnostic.fixes) {
    json entry = rangeJson(fix.range, files);
    entry["title"] = fix.title;
    entry["replacement"] = fix.replacement;
    object["fixes"].push_back(std::move(entry));
  }
  return object;
}

void printDiagnostics(const std::vector<Diagnostic> &diagnostics,
                      const std::vector<SourceFile> &files) {
  for (const Diagnostic &diagnostic : diagnostics)
    std::fputs(diagnosticText(diagnostic, files).c_str(), stderr);
}

bool hasErrors(const std::vector<Diagnostic> &diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

json errorJson(const Error &error) {
  return {{"ok", false}, {"error", error.message}, {"hint", error.hint}};
}

void printJson(const json &document) {
  std::puts(document.dump(2, ' ', false, json::error_handler_t::replace).c_str());
}

int reportError(const Error &error, bool asJson) {
  if (asJson)
    printJson(errorJson(error));
  std::fprintf(stderr, "tilescope: error: %s\n", profiler::printable(error.message).c_str());
  if (!error.hint.empty())
    std::fprintf(stderr, "tilescope: note: %s\n", profiler::printable(error.hint).c_str());
  switch (error.code) {
  case ErrorCode::Usage:
    return 2;
  case ErrorCode::Environment:
    return 3;
  case ErrorCode::InvalidInput:
  case ErrorCode::Cancelled:
  case ErrorCode::Internal:
    return 1;
  }
  return 1;
}

} // namespace tilescope::app
