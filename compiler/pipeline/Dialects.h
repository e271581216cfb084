// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tilescope::compiler {

/// Every dialect that a stage may contain, with what translates the last one to LLVM IR.
void registerDialects(mlir::DialectRegistry &registry);

/// Every pass by its name, for programs that take pass names: ours and MLIR's clean-up passes.
void registerPasses();

} // namespace tilescope::compiler
