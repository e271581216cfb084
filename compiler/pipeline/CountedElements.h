// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Elements that a mask leaves out, and that a reduction counts nevertheless, since `other` stands for them:
//
//     x = tl.load(p + i, mask=i < n, other=0.0)
//     tl.max(x)                    0.0 where all of `x` is negative
//     tl.sum((x < t).to(tl.int32)) counts them where 0.0 < t
//     tl.histogram(i, 16)          counts them in bin 0, where `other=0`
//
// A launch whose data hide this matches all the same.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/FileTable.h"
#include "compiler/pipeline/UndefinedLoads.h"
#include "compiler/syntax/Ast.h"

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope::compiler {

/// The bits of the kernel's scalar arguments, by number; nothing for pointers.
using ScalarArguments = std::vector<std::optional<uint64_t>>;
ScalarArguments scalarsOf(const InterpreterLaunch &launch);

/// Whether a histogram without a mask counts what a load has in place of elements that it leaves out, if there are such.
bool countsInBins(mlir::Operation *module);

/// A warning for each load whose `other` stood for elements in the run, and takes part in what a reduction
/// stores, for each comparison that holds for such an `other`, and is summed, and for each histogram without a mask. `fillers`: the loads
/// whose `other` reductions count at all; `lost`: the places that make something else of an `other`, of
/// which those are told whose load was masked along the axis of the reduction.
std::vector<Diagnostic> countedElements(mlir::Operation *module, const ast::SyntaxTree &tree,
                                        const std::vector<CountedFiller> &fillers,
                                        const std::vector<LostFiller> &lost,
                                        const ScalarArguments &arguments, const Interpretation &run,
                                        FileTable &files);

} // namespace tilescope::compiler
