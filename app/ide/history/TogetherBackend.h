// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "app/commands/RunPlace.h"

#include <QObject>

#include <array>

namespace tilescope::app {

/// Two texts of a kernel whose times are to be compared, with the same launch.
struct TogetherRequest {
  std::array<QString, 2> names;
  std::array<InputFile, 2> inputs;
  compiler::Selection selection;
  RunPlace place;
};

/// What a measurement of both says, or why there is none.
struct TogetherVerdict {
  QString text;
  bool isError = false;
};

/// Measures two versions against each other for the IDE: a thread with a worker process of its own,
/// or a stand-in in tests. Calls return at once; answers come as signals on the GUI thread.
class TogetherBackend : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// `ended` follows. One at a time.
  virtual void measure(const TogetherRequest &request) = 0;
  /// Ends the measurement at once; `ended` follows.
  virtual void cancel() = 0;
  virtual bool isBusy() const = 0;

Q_SIGNALS:
  /// What is done now, in words.
  void progressed(const QString &what);
  void ended(const tilescope::app::TogetherVerdict &verdict);
};

} // namespace tilescope::app
