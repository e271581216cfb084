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

class ConversionOrigins;
struct IrText;

/// Puts the text that a pass left into its record.
void keepIr(PassRecord &record, IrText text);

struct PassRunOptions {
  StageId stage{};
  /// Keep the IR after every pass that changed it.
  bool recordIr = false;
  /// Find out which passes changed something; else all count as having changed nothing.
  bool detectChanges = true;
  /// Called with a pass's name before it runs; may not return (tests make it crash).
  std::function<void(std::string_view)> passStarting;
  /// Where conversions of layouts are followed; null: nowhere.
  ConversionOrigins *conversions = nullptr;
  std::stop_token stop;
};

enum class PassRunOutcome { Done, Failed, Cancelled };

/// Passes in order, to be run on any number of modules: what they prepare once, such as tables of
/// patterns, is kept between two runs.
class RecordedPasses {
public:
  explicit RecordedPasses(mlir::MLIRContext &context);

  /// To add passes to, before the first run.
  mlir::PassManager &manager() { return m_manager; }

  /// Runs the passes on `module`, verifying after each, and appends a record for each. On a stop
  /// request the passes that are left are skipped.
  PassRunOutcome run(mlir::Operation *module, FileTable &files, const PassRunOptions &options,
                     std::vector<PassRecord> &records);

private:
  class Recorder;
  mlir::PassManager m_manager;
  /// Owned by the manager.
  Recorder *m_recorder;
};

} // namespace tilescope::compiler
