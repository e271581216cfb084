// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LlvmPlaces.h"

#include "compiler/artifacts/DebugPath.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
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

} // namespace tilescope::compiler
