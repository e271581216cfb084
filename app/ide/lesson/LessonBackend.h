// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunPlace.h"
#include "app/lesson/Answer.h"
#include "app/lesson/LiveElements.h"
#include "compiler/support/Result.h"

#include <QObject>

#include <memory>

namespace tilescope::app {

/// A text whose goals are to be checked.
struct LessonRequest {
  /// Told again with the answer.
  uint64_t number = 0;
  std::shared_ptr<const Lesson> lesson;
  std::string path, text;
  /// Places of the lesson's text that show the kernel.
  std::vector<LiveElement> live = {};
  /// The GPU that measures the times that goals are about; nothing: the model estimates them.
  std::optional<RunPlace> measureAt = std::nullopt;
};

/// A question of a lesson about a text.
struct AnswerRequest {
  uint64_t number = 0;
  std::shared_ptr<const Lesson> lesson;
  size_t question = 0;
  std::string path, text;
};

using FoundAnswer = Result<Answer>;
using GoalStates = Result<std::vector<GoalState>>;

/// Checks goals, one request after another. Tests put another one in its place.
class LessonBackend : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// Never waits; `checked` follows.
  virtual void check(const LessonRequest &request) = 0;
  /// Ends what is in progress; its answer is an error.
  virtual void cancel() = 0;
  /// Never waits; `answered` follows.
  virtual void ask(const AnswerRequest &request) = 0;

Q_SIGNALS:
  /// Before the answer to the whole request: where one goal stands, as soon as it is known.
  void goalChecked(uint64_t number, size_t goal, const tilescope::app::GoalState &state);
  void answered(uint64_t number, const tilescope::app::FoundAnswer &answer);
  void checked(uint64_t number, const tilescope::app::GoalStates &states);
  /// Behind it: what stands in live places. It need not come.
  void shown(uint64_t number, const std::vector<tilescope::app::ShownElement> &elements);
};

} // namespace tilescope::app
