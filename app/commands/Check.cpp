// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/ResultJson.h"
#include "app/commands/Session.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <thread>

namespace tilescope::app {

namespace {

using compiler::CompileRequest;
using compiler::CompileResult;
using compiler::Diagnostic;
using compiler::StageId;

/// What was found in one file, over all its kernels.
struct FileFindings {
  std::string path;
  int numKernels = 0;
  int numFailed = 0;
  std::vector<Diagnostic> diagnostics;
  std::vector<compiler::SourceFile> files;

  void add(const CompileResult &result) {
    if (files.size() < result.files.size())
      files = result.files;
    for (const Diagnostic &diagnostic : result.diagnostics)
      if (std::find(diagnostics.begin(), diagnostics.end(), diagnostic) == diagnostics.end())
        diagnostics.push_back(diagnostic);
  }
};

/// Files as named; of folders every `.py` below, in order of their paths.
Result<std::vector<std::string>> expandFolders(const std::vector<std::string> &named) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (const std::string &name : named) {
    std::error_code error;
    if (!fs::is_directory(name, error)) {
      paths.push_back(name);
      continue;
    }
    std::vector<std::string> found;
    for (fs::recursive_directory_iterator entry(name, error), end; !error && entry != end;
         entry.increment(error))
      if (entry->is_regular_file() && entry->path().extension() == ".py")
        found.push_back(entry->path().string());
    if (error)
      return Error{ErrorCode::InvalidInput, fmt::format("cannot read `{}`", name), error.message()};
    std::sort(found.begin(), found.end());
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

unsigned numWorkers() { return std::max(1u, std::thread::hardware_concurrency()); }

/// First every file is parsed, then each of its kernels is compiled to TTIR.
Result<std::vector<FileFindings>> checkFiles(const std::vector<std::string> &paths,
                                             const compiler::Selection &selection,
                                             bool syntaxOnly) {
  std::vector<CompileRequest> parses;
  for (const std::string &path : paths) {
    Result<Document> document = openDocument(path, selection);
    if (!document)
      return document.error();
    document->request.stopAfter = std::max(StageId::Ast, document->request.entry);
    parses.push_back(std::move(document->request));
  }
  compiler::WantedParts wanted;
  wanted.stages = 0;
  wanted.passes = wanted.layouts = wanted.values = false;
  Result<std::vector<CompileResult>> parsed =
      compileAll(workerOptions(), parses, wanted, numWorkers());
  if (!parsed)
    return parsed.error();

  std::vector<FileFindings> findings(paths.size());
  std::vector<CompileRequest> kernels;
  std::vector<size_t> owners;
  for (size_t i = 0; i < paths.size(); ++i) {
    findings[i].path = paths[i];
    findings[i].add((*parsed)[i]);
    if (syntaxOnly || parses[i].entry != StageId::Ast || hasErrors(findings[i].diagnostics))
      continue;
    for (const std::string &kernel : (*parsed)[i].kernels) {
      if (!selection.kernel.empty() && kernel != selection.kernel)
        continue;
      compiler::Selection own = selection;
      own.kernel = kernel;
      CompileRequest request = parses[i];
      ResolvedLaunch launch = resolveLaunch(request.text, own);
      for (const Diagnostic &diagnostic : launch.diagnostics)
        findings[i].diagnostics.push_back(diagnostic);
      request.selection = launch.selection;
      request.stopAfter = StageId::Ttir;
      request.collectFacts = false;
      kernels.push_back(std::move(request));
      owners.push_back(i);
    }
  }
  Result<std::vector<CompileResult>> compiled =
      compileAll(workerOptions(), kernels, wanted, numWorkers());
  if (!compiled)
    return compiled.error();
  for (size_t k = 0; k < kernels.size(); ++k) {
    FileFindings &file = findings[owners[k]];
    file.add((*compiled)[k]);
    ++file.numKernels;
    file.numFailed += !(*compiled)[k].ok;
  }
  return findings;
}

} // namespace

int runCheck(const CheckArguments &arguments) {
  Result<compiler::Selection> selection = toSelection(arguments.selection);
  if (!selection)
    return reportError(selection.error());
  Result<std::vector<std::string>> paths = expandFolders(arguments.files);
  if (!paths)
    return reportError(paths.error());
  Result<std::vector<FileFindings>> findings = checkFiles(*paths, *selection, arguments.syntaxOnly);
  if (!findings)
    return reportError(findings.error());

  nlohmann::json files = nlohmann::json::array();
  int numKernels = 0, numFailed = 0, numBroken = 0;
  for (const FileFindings &file : *findings) {
    numKernels += file.numKernels;
    numFailed += file.numFailed;
    numBroken += hasErrors(file.diagnostics);
    printDiagnostics(file.diagnostics, file.files, file.path);
    files.push_back({{"file", file.path},
                     {"ok", !hasErrors(file.diagnostics)},
                     {"kernels", file.numKernels},
                     {"failed", file.numFailed},
                     {"diagnostics", diagnosticsToJson(file.diagnostics, file.files, file.path)}});
  }
  if (arguments.asJson) {
    nlohmann::json document = {{"files", std::move(files)},
                               {"kernels", numKernels},
                               {"failed", numFailed},
                               {"ok", numBroken == 0}};
    fmt::print("{}\n", document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{} files, {} with errors; {} kernels, {} failed\n", findings->size(), numBroken,
               numKernels, numFailed);
  }
  return numBroken ? kInputAtFault : kDone;
}

} // namespace tilescope::app
