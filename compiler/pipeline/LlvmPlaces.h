// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where in the source is what LLVM speaks of.
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/pipeline/DocumentChecks.h"
#include "compiler/pipeline/FileTable.h"

namespace llvm {
class AsmParserContext;
class DILocation;
class SMDiagnostic;
} // namespace llvm

/// Private to the pipeline.
namespace tilescope::compiler {

/// Where the debug information places an instruction; an empty range when it does not.
SourceRange placeOf(const llvm::DILocation *location, FileTable &files);
/// The instruction at fault, or the function.
SourceRange placeOf(const LlvmFault &fault, FileTable &files);
/// Where the parser of LLVM IR stopped.
SourceRange placeOf(const llvm::SMDiagnostic &error, FileTable &files);

/// Sets the location of every instruction to its place in the document.
void locateInDocument(llvm::Module &module, const llvm::AsmParserContext &parsed,
                      const std::string &path, FileTable &files);

} // namespace tilescope::compiler
