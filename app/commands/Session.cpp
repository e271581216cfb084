// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Session.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

namespace tilescope::app {

namespace {

std::string readAll(std::istream &stream) {
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

std::string_view severityWord(compiler::Severity severity) {
  switch (severity) {
  case compiler::Severity::Note:
    return "note";
  case compiler::Severity::Warning:
    return "warning";
  case compiler::Severity::Error:
    return "error";
  }
  return "error";
}

std::string place(const SourceRange &range, const std::vector<compiler::SourceFile> &files,
                  const std::string &path) {
  const std::string &file =
      range.file < files.size() && !files[range.file].path.empty() ? files[range.file].path : path;
  return fmt::format("{}:{}:{}", file, range.begin.line + 1, range.begin.column + 1);
}

} // namespace

std::string siblingProgram(const std::string &name) {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? name : (self.parent_path() / name).string();
}

compiler::WorkerClientOptions workerOptions() {
  compiler::WorkerClientOptions options;
  options.program = siblingProgram("tilescope-worker");
  return options;
}

Result<Document> openDocument(const std::string &path, const compiler::Selection &selection) {
  using compiler::StageId;
  static const std::map<std::string, StageId> kEntries = {
      {".py", StageId::Ast},     {".ttir", StageId::Ttir}, {".ttgir", StageId::Ttgir},
      {".mlir", StageId::Ttgir}, {".ll", StageId::LlvmIr}, {".llir", StageId::LlvmIr},
      {".ptx", StageId::Ptx}};
  auto entry = kEntries.find(std::filesystem::path(path).extension().string());
  if (entry == kEntries.end())
    return Error{ErrorCode::Usage, fmt::format("`{}` has no known file ending", path),
                 "known are .py, .ttir, .ttgir, .mlir, .ll and .ptx"};
  std::ifstream stream(path, std::ios::binary);
  std::error_code error;
  if (!stream || std::filesystem::is_directory(path, error))
    return Error{ErrorCode::InvalidInput, fmt::format("cannot read `{}`", path), ""};

  Document document;
  document.request.path = path;
  document.request.text = readAll(stream);
  document.request.entry = entry->second;
  document.launch = resolveLaunch(document.request.text, selection);
  document.request.selection = document.launch.selection;
  return document;
}

int reportError(const Error &error) {
  std::fprintf(stderr, "tilescope: error: %s\n", error.message.c_str());
  if (!error.hint.empty())
    std::fprintf(stderr, "tilescope: note: %s\n", error.hint.c_str());
  switch (error.code) {
  case ErrorCode::Usage:
    return kWrongUsage;
  case ErrorCode::Environment:
    return kEnvironmentLacks;
  default:
    return kInputAtFault;
  }
}

void printDiagnostics(const std::vector<compiler::Diagnostic> &diagnostics,
                      const std::vector<compiler::SourceFile> &files, const std::string &path) {
  for (const compiler::Diagnostic &diagnostic : diagnostics) {
    fmt::print(stderr, "{}: {}: {}\n", place(diagnostic.range, files, path),
               severityWord(diagnostic.severity), diagnostic.message);
    for (const compiler::DiagnosticLabel &label : diagnostic.labels)
      fmt::print(stderr, "{}: note: {}\n", place(label.range, files, path), label.message);
    for (const std::string &note : diagnostic.notes)
      fmt::print(stderr, "{}: note: {}\n", place(diagnostic.range, files, path), note);
  }
}

bool hasErrors(const std::vector<compiler::Diagnostic> &diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const auto &diagnostic) {
    return diagnostic.severity == compiler::Severity::Error;
  });
}

void addLaunchDiagnostics(const ResolvedLaunch &launch, compiler::CompileResult &result) {
  for (const compiler::Diagnostic &diagnostic : launch.diagnostics)
    if (std::find(result.diagnostics.begin(), result.diagnostics.end(), diagnostic) ==
        result.diagnostics.end())
      result.diagnostics.push_back(diagnostic);
  result.ok = result.ok && !hasErrors(result.diagnostics);
}

} // namespace tilescope::app
