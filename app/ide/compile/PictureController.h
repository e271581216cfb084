// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"

#include <QTimer>

namespace tilescope::app {

/// Has something looked at behind each compile while the view that shows it is in sight. What is
/// shown stays, marked as stale, until the newest is there. GUI thread.
class PictureController : public QObject {
  Q_OBJECT
public:
  /// Nothing is looked at while the view is out of sight.
  void setInFront(bool isInFront);

protected:
  PictureController(CompileBackend *backend, CompileController *compile, QObject *parent);

  /// Arrays that are filled while the user types, where addresses depend on them.
  static constexpr uint64_t kMostDataBytes = uint64_t{16} << 20;

  /// Looks at the newest result, unless that was done.
  virtual void begin() = 0;
  /// Looks at nothing any longer.
  virtual void stop() {}
  /// The next compile has started.
  virtual void startOver() {}
  /// An answer to someone who has asked.
  virtual void take(const InspectionPointer &reply) = 0;
  virtual void setStaleNote(const QString &note) = 0;

  /// The view is in sight, and a compile of the text of now has ended.
  bool canBegin() const;
  /// The newest result is there to its end.
  bool isReady() const;
  /// True: what is shown is of another kernel than this, or of a file that is closed.
  bool moveTo(const compiler::CompileResult &result);
  /// Asks nothing yet about the newest result and its launch, which is not part of it.
  compiler::InspectMessage makeMessage();
  static QString whyFailed(const compiler::InspectDoneReply &reply);

  CompileBackend *m_backend;
  CompileController *m_compile;
  bool m_isInFront = false;
  /// What is shown is of this file and kernel.
  const QObject *m_file = nullptr;
  std::string m_kernel;
  /// Runs down while what is shown is of an earlier text.
  QTimer m_staleTimer;
};

} // namespace tilescope::app
