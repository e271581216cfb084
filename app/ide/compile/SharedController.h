// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"

#include <QTimer>

namespace tilescope::views {
class SharedView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the shared memory of the newest compile looked at while the Shared memory view is in sight.
/// It needs no launch, and a kernel that takes more than there is is shown as well. GUI thread.
class SharedController : public QObject {
  Q_OBJECT
public:
  SharedController(CompileBackend *backend, CompileController *compile, views::SharedView *view,
                   QObject *parent);

  /// There is nothing to look at, and why.
  void clear(const QString &why);
  /// Nothing is looked at while the view is out of sight.
  void setInFront(bool isInFront);

private:
  void begin();
  void ask();
  void take(const InspectionPointer &reply);
  /// Says why the newest text has none; what is shown of an earlier one stays.
  void showNone(bool isOther);

  CompileBackend *m_backend;
  CompileController *m_compile;
  views::SharedView *m_view;
  bool m_isInFront = false;
  /// What the worker is asked for; 0: nothing.
  compiler::JobId m_asked = 0;
  /// Of what it is asked for, and of what is shown.
  uint64_t m_revision = 0, m_shownRevision = 0;
  /// What is shown is of this file and kernel.
  const QObject *m_file = nullptr;
  std::string m_kernel;
  /// Runs down while what is shown is of an earlier text.
  QTimer m_staleTimer;
};

} // namespace tilescope::app
