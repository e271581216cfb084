// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LlvmPlaces.h"

#include "compiler/artifacts/DebugPath.h"

#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <algorithm>

namespace tilescope::compiler {

/// The file that debug information names; -1 when it names none that is known.
static int32_t fileOf(llvm::StringRef debugPath, FileTable &files) {
  return files.indexOfName(decodeDebugPath(llvm::sys::path::filename(debugPath).str()));
}

SourceRange placeOf(const llvm::DILocation *location, FileTable &files) {
  const int32_t file = location ? fileOf(location->getFilename(), files) : -1;
  return file >= 0 && location->getLine() > 0
             ? files.restOfLine(static_cast<uint32_t>(file),
                                {location->getLine() - 1, std::max(location->getColumn(), 1U) - 1})
             : SourceRange();
}

static SourceRange placeOf(const llvm::DISubprogram *scope, FileTable &files) {
  const int32_t file = scope ? fileOf(scope->getFilename(), files) : -1;
  return file >= 0 && scope->getLine() > 0
             ? files.wholeLine(static_cast<uint32_t>(file), scope->getLine() - 1)
             : SourceRange();
}

SourceRange placeOf(const LlvmFault &fault, FileTable &files) {
  const llvm::DILocation *location =
      fault.instruction ? fault.instruction->getDebugLoc().get() : nullptr;
  if (location != nullptr)
    return placeOf(location, files);
  return placeOf(fault.function ? fault.function->getSubprogram() : nullptr, files);
}

SourceRange placeOf(const llvm::SMDiagnostic &error, FileTable &files) {
  const int line = std::max(error.getLineNo() - 1, 0);
  const int column = std::max(error.getColumnNo(), 0);
  return files.restOfLine(0, {static_cast<uint32_t>(line), static_cast<uint32_t>(column)});
}

void locateInDocument(llvm::Module &module, const llvm::AsmParserContext &parsed,
                      const std::string &path, FileTable &files) {
  llvm::DIBuilder builder(module, false);
  const std::string encoded = encodeDebugPath(path);
  llvm::DIFile *file =
      builder.createFile(llvm::sys::path::filename(encoded), llvm::sys::path::parent_path(encoded));
  builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file, "tilescope",
                            true, "", 0, "", llvm::DICompileUnit::DebugDirectivesOnly);
  llvm::DISubroutineType *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  for (llvm::Function &function : module) {
    const auto place = parsed.getFunctionLocation(&function);
    if (function.isDeclaration() || !place)
      continue;
    const unsigned line = place->Start.Line + 1;
    llvm::DISubprogram *scope = builder.createFunction(
        file, function.getName(), function.getName(), file, line, type, line,
        llvm::DINode::FlagZero,
        llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
    function.setSubprogram(scope);
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (const auto at = parsed.getInstructionLocation(&instruction))
          instruction.setDebugLoc(
              llvm::DILocation::get(module.getContext(), at->Start.Line + 1,
                                    files.wholeLine(0, at->Start.Line).begin.column + 1, scope));
  }
  builder.finalize();
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
}

} // namespace tilescope::compiler
