// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ResultJson.h"

namespace tilescope::app {

using nlohmann::json;

namespace {

constexpr double kNsPerMs = 1e6;

const char *severityName(compiler::Severity severity) {
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

void addPlace(json &object, const SourceRange &range,
              const std::vector<compiler::SourceFile> &files, const std::string &path) {
  bool known = range.file < files.size() && !files[range.file].path.empty();
  object["file"] = known ? files[range.file].path : path;
  object["line"] = range.begin.line + 1;
  object["column"] = range.begin.column + 1;
  object["end_line"] = range.end.line + 1;
  object["end_column"] = range.end.column + 1;
}

json resourceOrNull(int64_t value) { return value < 0 ? json() : json(value); }

} // namespace

json diagnosticsToJson(const std::vector<compiler::Diagnostic> &diagnostics,
                       const std::vector<compiler::SourceFile> &files, const std::string &path) {
  json list = json::array();
  for (const compiler::Diagnostic &diagnostic : diagnostics) {
    json object = {{"severity", severityName(diagnostic.severity)},
                   {"kind", compiler::diagnosticId(diagnostic.kind)},
                   {"message", diagnostic.message},
                   {"notes", diagnostic.notes}};
    addPlace(object, diagnostic.range, files, path);
    for (const compiler::DiagnosticLabel &label : diagnostic.labels) {
      json related = {{"message", label.message}};
      addPlace(related, label.range, files, path);
      object["related"].push_back(std::move(related));
    }
    list.push_back(std::move(object));
  }
  return list;
}

json compileResultToJson(const compiler::CompileResult &result, const std::string &path,
                         const std::map<compiler::StageId, std::string> &paths, bool withText) {
  json stages = json::array();
  for (const compiler::Stage &stage : result.stages) {
    json object = {{"name", stageName(stage.id)},
                   {"ok", stage.ok},
                   {"ms", static_cast<double>(stage.durationNs) / kNsPerMs},
                   {"path", json()}};
    if (auto written = paths.find(stage.id); written != paths.end())
      object["path"] = written->second;
    else if (withText && stage.id != compiler::StageId::Cubin)
      object["text"] = stage.text;
    stages.push_back(std::move(object));
  }
  json passes = json::array();
  for (const compiler::PassRecord &pass : result.passes)
    passes.push_back({{"stage", stageName(pass.stage)},
                      {"name", pass.name},
                      {"ms", static_cast<double>(pass.durationNs) / kNsPerMs},
                      {"changed", pass.changed}});
  return {{"kernel", result.kernel},
          {"kernels", result.kernels},
          {"target", result.target},
          {"signature", result.signature},
          {"constexprs", result.constexprs},
          {"options", result.options},
          {"assumptions", result.assumptions},
          {"ok", result.ok},
          {"stages", std::move(stages)},
          {"passes", std::move(passes)},
          {"diagnostics", diagnosticsToJson(result.diagnostics, result.files, path)},
          {"resources",
           {{"registers", resourceOrNull(result.resources.registers)},
            {"shared_bytes", resourceOrNull(result.resources.sharedBytes)},
            {"spill_bytes", resourceOrNull(result.resources.spillBytes)},
            {"threads", resourceOrNull(result.resources.threads)}}},
          {"total_ms", static_cast<double>(result.totalNs) / kNsPerMs}};
}

} // namespace tilescope::app
