// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Package.h"

#include "app/commands/Commands.h"

#include <fmt/format.h>

namespace tilescope::app {

using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;

static std::string stageText(const CompileResult &result, StageId id) {
  const Stage *stage = result.stage(id);
  return stage && stage->ok ? stage->text : std::string();
}

static std::optional<int64_t> known(int64_t value) {
  return value < 0 ? std::nullopt : std::optional<int64_t>(value);
}

Error noLaunch(const Document &document) {
  for (const compiler::Diagnostic &diagnostic : document.launch.diagnostics)
    if (diagnostic.severity == compiler::Severity::Error)
      return {ErrorCode::InvalidInput,
              fmt::format("the launch of `{}` is not usable", document.request.path), ""};
  return {ErrorCode::InvalidInput,
          fmt::format("`{}` does not say how to launch the kernel", document.request.path),
          "add a launch block: a comment `# /// tilescope` with kernel, grid and args"};
}

Result<Packaged> packageDocument(const Document &document, compiler::WorkerClient &client) {
  compiler::CompileRequest request = document.request;
  request.stopAfter = StageId::Cubin;
  request.collectFacts = false;
  Result<CompileResult> compiled = client.compile(request);
  if (!compiled)
    return compiled.error();
  addLaunchDiagnostics(document.launch, *compiled);
  printDiagnostics(compiled->diagnostics, compiled->files, request.path);
  if (!document.launch.plan)
    return noLaunch(document);
  if (!compiled->ok)
    return Error{ErrorCode::InvalidInput, fmt::format("`{}` does not compile", request.path), ""};

  Packaged packaged;
  profiler::KernelPackage &package = packaged.package;
  const compiler::KernelMetadata &metadata = compiled->metadata;
  package.symbol = metadata.name;
  package.target = metadata.target;
  package.numWarps = metadata.numWarps;
  package.numCtas = metadata.numCtas;
  package.sharedBytes = metadata.sharedBytes;
  package.globalScratchBytes = metadata.globalScratchBytes;
  for (const compiler::KernelParameter &parameter : metadata.parameters)
    package.parameters.push_back({parameter.name, parameter.type});
  package.registers = known(compiled->resources.registers);
  package.spillBytes = known(compiled->resources.spillBytes);
  package.plan = *document.launch.plan;
  package.sourcePath = request.path;
  package.sourceText = request.text;
  package.generator = "tilescope " TILESCOPE_VERSION;
  package.cubin = stageText(*compiled, StageId::Cubin);
  package.ptx = stageText(*compiled, StageId::Ptx);
  if (package.cubin.empty() && package.ptx.empty())
    return Error{ErrorCode::Environment, "the compiler made neither cubin nor PTX", ""};
  packaged.result = std::move(*compiled);
  return packaged;
}

int runPackage(const PackageArguments &arguments) {
  Result<compiler::Selection> selection = toSelection(arguments.selection);
  if (!selection)
    return reportError(selection.error());
  Result<Document> document = openDocument(arguments.file, *selection);
  if (!document)
    return reportError(document.error());
  compiler::WorkerClient client(workerOptions());
  Result<Packaged> packaged = packageDocument(*document, client);
  if (!packaged)
    return reportError(packaged.error());
  if (Status status = profiler::writePackage(arguments.out, packaged->package))
    return reportError(*status);
  fmt::print("wrote {}: {} for {}, {}\n", arguments.out, packaged->package.symbol,
             packaged->package.target, packaged->package.cubin.empty() ? "PTX" : "cubin and PTX");
  return kDone;
}

} // namespace tilescope::app
