// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/SweepRun.h"

#include <QObject>

#include <memory>

namespace tilescope::app {

using SweptPointer = std::shared_ptr<const profiler::Sweep>;

/// A launch whose `[sweep]` and tuner's configurations are to be tried.
struct SweepRequest {
  InputFile input;
  compiler::Selection selection;
  RunPlace place;
};

/// Sweeps for the IDE: a thread with worker processes of its own, or a stand-in in tests. All calls
/// return at once; answers come as signals on the GUI thread.
class SweepBackend : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// Sweeps; `ended` follows. One at a time.
  virtual void sweep(const SweepRequest &request) = 0;
  /// Ends the sweep with the points that it has; `ended` follows with an error of
  /// `ErrorCode::Cancelled`.
  virtual void cancel() = 0;

Q_SIGNALS:
  /// The points as they are now, and what was done last, in words.
  void changed(const tilescope::app::SweptPointer &sweep, const QString &what);
  /// All points have been looked at, or `status` says why not.
  void ended(const tilescope::Status &status);
};

} // namespace tilescope::app
