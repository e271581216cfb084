// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <QObject>

class QLabel;
class QStatusBar;
class QToolButton;

namespace tilescope::views {
class CompileMeter;
class ElidedLabel;
} // namespace tilescope::views

namespace tilescope::app {

/// The contents of the status bar: assumptions and failures on the left; resources, the compile
/// meter and the GPU on the right.
class StatusFacts : public QObject {
  Q_OBJECT
public:
  explicit StatusFacts(QStatusBar *bar);

  views::CompileMeter &meter() { return *m_meter; }
  void showResult(const compiler::CompileResult &result);
  void showMessage(const QString &message);
  /// Something else is being compiled: what was shown does not hold of it.
  void showPending();
  /// The GPUs of this machine, by name.
  void showGpus(const QStringList &names);
  /// No file is open.
  void clear();

Q_SIGNALS:
  /// The user wants to see where assumptions about the launch are edited.
  void assumptionsClicked();

private:
  void makeRoom();
  void showAssumptions(const std::vector<compiler::Assumption> &assumptions);

  QStatusBar *m_bar;
  views::CompileMeter *m_meter;
  views::ElidedLabel *m_resources;
  QLabel *m_message;
  QLabel *m_gpu;
  QToolButton *m_assumed;
  qsizetype m_numAssumptions = 0;
};

} // namespace tilescope::app
