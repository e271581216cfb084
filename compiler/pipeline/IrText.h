// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"
#include "compiler/artifacts/Stage.h"
#include "compiler/pipeline/SourceIndex.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace llvm {
class DILocation;
class Module;
} // namespace llvm

namespace tilescope::compiler {

/// IR as a user reads it.
struct IrText {
  std::string text;
  SourceMap sourceMap;
};

/// The places a location names, the innermost first. Lines and columns of locations start at 1.
std::vector<SourceRange> sourceRanges(mlir::Location loc, FileTable &files);

/// Of these, where the user looks for it: the innermost one in the document, or the innermost of all.
SourceRange documentPlace(mlir::Location loc, FileTable &files);

/// Prints without locations; those are in the map. With `layouts` (may be null) it also says how
/// the printed values are laid out.
IrText printIr(mlir::Operation *op, FileTable &files, std::vector<LayoutFacts> *layouts = nullptr);

/// Adds the ranges of every operation.
void indexRanges(mlir::Operation *op, FileTable &files, SourceIndex &index);

/// Prints LLVM IR with its metadata; the map follows the instructions' debug locations.
IrText printLlvmIr(const llvm::Module &module, FileTable &files, const SourceIndex &index);

/// Of a text whose lines have these places, null for those without one.
SourceMap placesOfLines(const std::vector<const llvm::DILocation *> &lines, FileTable &files,
                        const SourceIndex &index);

} // namespace tilescope::compiler
