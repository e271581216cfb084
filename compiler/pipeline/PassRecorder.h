// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"
#include "compiler/pipeline/FileTable.h"

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

struct PassRunOptions {
  StageId stage{};
  /// Keep the IR after every pass that changed it.
  bool recordIr = false;
  /// Called with a pass's name before it runs; may not return (tests make it crash).
  std::function<void(std::string_view)> passStarting;
  std::stop_token stop;
};

enum class PassRunOutcome { Done, Failed, Cancelled };

/// Runs the passes of `manager` on `module`, verifying after each, and appends a record for each.
/// On a stop request the passes that are left are skipped.
PassRunOutcome runPasses(mlir::PassManager &manager, mlir::Operation *module, FileTable &files,
                         const PassRunOptions &options, std::vector<PassRecord> &records);

} // namespace tilescope::compiler
