// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The integers of a loop, found by executing what computes them: which slot an iteration uses, and
// whether there is anything left to load ahead.
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// Of an argument of the kernel: the number that the launch passes for it.
inline constexpr llvm::StringLiteral kLaunchedNumber = "tilescope.launched_number";

/// Notes at the kernel's arguments what a launch passes for them, by their names.
void noteLaunchedNumbers(mlir::ModuleOp module, const std::vector<KernelParameter> &parameters,
                         const std::map<std::string, int64_t> &numbers);

/// The integers of one iteration of a loop, as far as nothing but the iteration decides them.
class LoopNumbers {
public:
  /// Of what has no loop, too: null.
  explicit LoopNumbers(mlir::scf::ForOp loop);

  /// As if the loop had so many iterations, where its bounds depend on the launch.
  void assumeIterations(int64_t count);
  /// How many iterations the loop has; nothing: that depends on the launch.
  std::optional<int64_t> numIterations();
  std::optional<int64_t> find(mlir::Value value);
  /// To the next iteration.
  void advance();

private:
  void begin();
  std::optional<int64_t> compute(mlir::Value value);

  mlir::scf::ForOp m_loop;
  llvm::DenseMap<mlir::Value, int64_t> m_assumed, m_known;
};

} // namespace tilescope::compiler
