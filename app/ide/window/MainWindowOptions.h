// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/session/AbandonedTexts.h"

namespace tilescope::app {

class RunBackend;
class StepBackend;
class LessonBackend;
class SweepBackend;
class TogetherBackend;
class ModelBackend;

/// Where the window gets what lies outside it; tests put other things there.
struct MainWindowOptions {
  /// Null: nothing is remembered.
  std::shared_ptr<SessionStore> session;
  QString examplesFolder;
  /// Lessons that come with the program, and the learner's files of them.
  QString lessonsFolder = {}, learnerFolder = {};
  /// Runs launches; null: the window's own thread.
  RunBackend *runs = nullptr;
  /// Steps through launches; null: the window's own worker.
  StepBackend *steps = nullptr;
  /// Sweeps; null: the window's own thread.
  SweepBackend *sweeps = nullptr;
  /// Measures versions against each other; null: the window's own thread.
  TogetherBackend *together = nullptr;
  /// Reads models; null: the window's own thread.
  ModelBackend *models = nullptr;
  /// Checks the goals of lessons; null: the window's own thread.
  LessonBackend *lessons = nullptr;
  /// Offered when the session is restored.
  std::vector<AbandonedTexts> abandoned = {};
  /// Closing the window says that texts which are not saved are kept.
  bool saysWhatIsKept = false;
};

} // namespace tilescope::app
