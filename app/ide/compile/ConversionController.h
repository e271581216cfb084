// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"

#include <QTimer>

namespace tilescope::views {
class ConversionView;
} // namespace tilescope::views

namespace tilescope::app {

/// Has the conversions of the newest compile looked at while the Conversion view is in sight: first
/// what code generation makes of them, then, where there is a launch, how often its first program
/// executes them. The next key stops either. GUI thread.
class ConversionController : public QObject {
  Q_OBJECT
public:
  ConversionController(CompileBackend *backend, CompileController *compile,
                       views::ConversionView *view, QObject *parent);

  /// There is nothing to look at, and why.
  void clear(const QString &why);
  /// Nothing is looked at while the view is out of sight.
  void setInFront(bool isInFront);

private:
  /// What is known of the revision.
  enum class Known { Nothing, Plans, Executions };

  void begin();
  /// Asks for what is not known yet.
  void ask();
  void take(const InspectionPointer &reply);
  void fail(const InspectionPointer &reply);
  /// The newest result is there to its end.
  bool isReady() const;

  CompileBackend *m_backend;
  CompileController *m_compile;
  views::ConversionView *m_view;
  /// What the worker is asked for; 0: nothing.
  compiler::JobId m_asked = 0;
  uint64_t m_askedRevision = 0;
  bool m_isInFront = false;
  /// Of the newest result that was looked at; 0: none was.
  uint64_t m_revision = 0;
  Known m_known = Known::Nothing;
  /// What is shown is of this file and kernel.
  const QObject *m_file = nullptr;
  std::string m_kernel;
  /// Runs down while what is shown is of an earlier text.
  QTimer m_staleTimer;
};

} // namespace tilescope::app
