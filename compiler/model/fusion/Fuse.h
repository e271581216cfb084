// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Groups operations into kernels, one edge after another, those first that move most bytes:
//
//   conv ──▶ relu ──▶ add ──▶ conv          {conv, relu, add}, {conv}
//              └──────▶ …                   relu is also stored, since others read it
//
// An edge is fused where there is a kernel for both groups together, which is asked of the emitter, and
// where nothing outside lies on a way from one to the other. Every edge gets a reason. Edges that the user wants
// fused come first, those that are to be kept apart never.
#pragma once

#include "compiler/model/emit/EmitModule.h"

namespace tilescope::model {

/// Adds the number of kernels of one operation each, and what they move.
void countUnfused(mlir::func::FuncOp function, compiler::ModelResult &result);

/// The groups in an order in which they can run. Edges are added to the result, and errors of choices, which are
/// then not obeyed.
std::vector<Group> fuse(mlir::func::FuncOp function, llvm::ArrayRef<compiler::FusionChoice> chosen,
                        compiler::ModelResult &result);

} // namespace tilescope::model
