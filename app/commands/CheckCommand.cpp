// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

namespace tilescope::app {

using compiler::CompileResult;
using compiler::Diagnostic;
using compiler::StageId;
using nlohmann::json;

namespace {

/// What was found in one file. Kernels of one file repeat what concerns all of them.
struct Findings {
  std::vector<compiler::SourceFile> files;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> kernels;

  void add(const std::vector<Diagnostic> &more) {
    for (const Diagnostic &diagnostic : more)
      if (std::find(diagnostics.begin(), diagnostics.end(), diagnostic) == diagnostics.end())
        diagnostics.push_back(diagnostic);
  }
};

} // namespace

static Findings checkSyntax(const InputFile &input) {
  Findings findings;
  findings.files = {{input.path, input.text}};
  findings.add(compiler::ast::parseModule(input.text)->diagnostics);
  return findings;
}

/// Compiles every kernel that the file names to TTIR, and those of its launch blocks as these say.
static Result<Findings> checkKernels(compiler::WorkerClient &worker, const std::string &path,
                                     const compiler::Selection &selection) {
  CompileFileOptions options;
  options.stopAfter = StageId::Ttir;
  options.wanted.stages = 0;
  options.wanted.layouts = options.wanted.values = options.wanted.passes = false;
  Findings findings;
  std::set<std::string> checked;
  std::vector<compiler::Selection> pending{selection};
  for (size_t i = 0; i < pending.size(); ++i) {
    Result<CompiledFile> compiled = compileFile(worker, path, pending[i], options);
    if (!compiled)
      return compiled.error();
    const CompileResult &result = compiled->result;
    // Ranges index the files of the compilation that they came from; the largest list serves all.
    if (result.files.size() >= findings.files.size())
      findings.files = result.files;
    findings.add(result.diagnostics);
    checked.insert(result.kernel);
    if (i != 0 || !selection.kernel.empty())
      continue;
    findings.kernels = result.kernels;
    for (const std::string &kernel : result.kernels) {
      if (checked.contains(kernel))
        continue;
      pending.push_back(selection);
      pending.back().kernel = kernel;
    }
  }
  return findings;
}

int runCheck(const CheckOptions &options) {
  const Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error());
  compiler::WorkerClient worker(workerOptions());
  json documents = json::array();
  bool ok = true;
  for (const std::string &path : options.files) {
    const Result<InputFile> input = readInput(path);
    if (!input)
      return reportError(input.error());
    const bool onlySyntax = options.syntaxOnly && input->entry == StageId::Ast;
    Result<Findings> findings =
        onlySyntax ? Result<Findings>(checkSyntax(*input)) : checkKernels(worker, path, *selection);
    if (!findings)
      return reportError(findings.error());
    ok = ok && !hasErrors(findings->diagnostics);
    if (!options.json) {
      printDiagnostics(findings->diagnostics, findings->files);
      continue;
    }
    json diagnostics = json::array();
    for (const Diagnostic &diagnostic : findings->diagnostics)
      diagnostics.push_back(diagnosticJson(diagnostic, findings->files));
    documents.push_back({{"file", path},
                         {"ok", !hasErrors(findings->diagnostics)},
                         {"kernels", findings->kernels},
                         {"diagnostics", std::move(diagnostics)}});
  }
  if (options.json)
    std::puts(json{{"ok", ok}, {"files", std::move(documents)}}.dump(2).c_str());
  return ok ? 0 : 1;
}

} // namespace tilescope::app
