// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"

#include <QObject>

#include <memory>

namespace tilescope::app {

using StepReplyPointer = std::shared_ptr<const compiler::StepDoneReply>;

/// Steps through launches for the IDE: a thread with its own worker, or a stand-in in tests. All
/// calls return at once; answers come as signals on the GUI thread.
class StepBackend : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// Does what the message says; `stepped` follows. One at a time.
  virtual void step(const compiler::StepMessage &message) = 0;
  /// Ends the move at once; `stepped` follows.
  virtual void cancel() = 0;

Q_SIGNALS:
  void progressed(quint64 done, quint64 total);
  /// Not `ok` where it failed: then there is nothing any longer to step through.
  void stepped(tilescope::app::StepReplyPointer reply);
};

} // namespace tilescope::app
