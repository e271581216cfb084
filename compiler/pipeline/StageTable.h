// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"
#include "compiler/pipeline/KernelOptions.h"

#include <span>
#include <string_view>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilescope::compiler {

/// One row of the table that drives the pipeline, the documentation and the views.
struct StageDescription {
  StageId id{};
  std::string_view name;
  std::string_view title;
  /// What the stage is, in one line.
  std::string_view description;
  /// Adds the MLIR passes that make the stage from the one before; null where no pass takes part.
  void (*populate)(mlir::OpPassManager &passes, const KernelOptions &options) = nullptr;
};

/// All stages in order.
std::span<const StageDescription> stageTable();
const StageDescription &stageDescription(StageId id);

} // namespace tilescope::compiler
