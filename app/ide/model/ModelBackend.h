// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/MeasureModel.h"
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
  std::vector<compiler::FusionChoice> fusions = {};
  /// Of the GPU that times are estimated for.
  std::string target = {};
};

/// What was found, with the extents that it is for.
struct OpenedModel {
  compiler::ModelResult result;
  ModelExtents extents;
  bool areGuesses = false;
  /// Where fusions were chosen and could be obeyed: what that changes.
  std::optional<FusionVariants> variants = {};
};

using OpenedModelPointer = std::shared_ptr<const OpenedModel>;

/// A model that was opened, as the user has it.
struct ChosenModel {
  /// Told again with the answer.
  uint64_t number = 0;
  std::string path;
  ModelExtents extents;
  std::vector<compiler::FusionChoice> fusions;

  /// Asks for its fused kernels and their plan.
  compiler::ModelRequest planRequest() const {
    return {path, extents, compiler::ModelText::Plan, compiler::ModelForm::Fused, fusions};
  }
};

/// Kernels, maybe edited, that are to be run beside the operations of their model.
struct CheckModelRequest {
  ChosenModel model;
  /// The text with the kernels, and its name for messages.
  std::string text, name;
};

/// Choices of fusions that are to be measured.
struct MeasureFusionsRequest {
  ChosenModel model;
  /// As in `OpenModelRequest`.
  std::string target;
};

/// A model that is to be run for its times.
struct TimeModelRequest {
  ChosenModel model;
  /// As in `CheckModelRequest`.
  std::string text, name;
  RunPlace place;
};

/// What came of it.
struct ModelVerdict {
  std::string text;
  /// They differ, or do not run.
  bool isFault = false;
  /// The position of the first kernel that diverges; nothing: none does.
  std::optional<size_t> kernel;
};

/// Reads models for the IDE: a thread with a worker process of its own, or a stand-in in tests. All calls return
/// at once; answers come as signals on the GUI thread.
class ModelBackend : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// `done` follows. One at a time: the one before is ended.
  virtual void read(const OpenModelRequest &request) = 0;
  /// `checked` follows, and `checking` before it. It ends what was under way, as `read` does.
  virtual void check(const CheckModelRequest &request) = 0;
  /// `measured` follows, and `measuring` before it; else as `check`.
  virtual void measure(const MeasureFusionsRequest &request) = 0;
  /// `timed` follows, and `timing` before it; else as `check`.
  virtual void time(const TimeModelRequest &request) = 0;
  /// Ends a check or a measurement soon; its answer follows.
  virtual void stopCheck() = 0;

Q_SIGNALS:
  /// The error is about the worker program, or says that a newer request came.
  void done(uint64_t number, const tilescope::Result<tilescope::app::OpenedModelPointer> &opened);
  /// How many kernels a phase of the measurement is done with.
  void timing(uint64_t number, tilescope::app::MeasuringPhase phase, int done, int total);
  /// The error is about the model, the place or the worker program, or says that it was ended.
  void timed(uint64_t number, const tilescope::Result<tilescope::app::ModelBench> &bench);
  /// How many kernels have run, of those of the model and those of its operations.
  void checking(uint64_t number, int done, int total);
  /// How many runs have been done.
  void measuring(uint64_t number, int done, int total);
  /// The error is about the model or the worker program, or says that it was ended.
  void measured(uint64_t number, const tilescope::Result<tilescope::app::FusionVariants> &variants);
  /// The error is about the worker program, or says that the check was ended.
  void checked(uint64_t number, const tilescope::Result<tilescope::app::ModelVerdict> &verdict);
};

} // namespace tilescope::app
