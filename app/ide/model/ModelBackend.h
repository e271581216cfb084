// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"
#include "compiler/support/Result.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::app {

using ModelExtents = std::vector<std::pair<std::string, int64_t>>;

/// A model that is to be read, fused and planned.
struct OpenModelRequest {
  /// Told again with the answer.
  uint64_t number = 0;
  std::string path;
  /// Nothing: numbers are assumed for what the model leaves open.
  std::optional<ModelExtents> extents;
};

/// What was found, with the extents that it is for.
struct OpenedModel {
  compiler::ModelResult result;
  ModelExtents extents;
  bool areGuesses = false;
};

using OpenedModelPointer = std::shared_ptr<const OpenedModel>;

/// Reads models for the IDE: a thread with a worker process of its own, or a stand-in in tests. All calls return
/// at once; answers come as signals on the GUI thread.
class ModelBackend : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// `done` follows. One at a time: the one before is ended.
  virtual void read(const OpenModelRequest &request) = 0;

Q_SIGNALS:
  /// The error is about the worker program, or says that a newer request came.
  void done(uint64_t number, const tilescope::Result<tilescope::app::OpenedModelPointer> &opened);
};

} // namespace tilescope::app
