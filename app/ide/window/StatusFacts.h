// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Estimate.h"
#include "views/common/FactsLabel.h"

#include <QObject>

class QFrame;
class QLabel;
class QStatusBar;
class QToolButton;

namespace tilescope::views {
class CompileMeter;
} // namespace tilescope::views

namespace tilescope::app {

/// The contents of the status bar: on the left what authors tune (registers, spills, shared memory,
/// occupancy, target), then failures; on the right assumptions, how fast the compiler follows the
/// keys, and the GPU.
class StatusFacts : public QObject {
  Q_OBJECT
public:
  explicit StatusFacts(QStatusBar *bar);

  views::CompileMeter &meter() { return *m_meter; }
  const views::FactsLabel &resources() const { return *m_resources; }
  void showResult(const compiler::CompileResult &result);
  /// What a launch of the result that is shown takes; with a reason where that is not known.
  void showEstimate(const compiler::Estimate &estimate);
  void showMessage(const QString &message);
  /// Something else is being compiled: what was shown does not hold of it.
  void showPending();
  /// The GPUs of this machine, by name.
  void showGpus(const QStringList &names);
  /// No file is open.
  void clear();
  /// How long each stage took, above the bar; hides it again.
  void toggleMeter();

Q_SIGNALS:
  /// The user wants to see where assumptions about the launch are edited.
  void assumptionsClicked();

private:
  void createMeter();
  void updateMeter();
  void makeRoom();
  void quoteMessage(const QString &said);
  void showAssumptions(const std::vector<compiler::Assumption> &assumptions);

  QStatusBar *m_bar;
  QFrame *m_meterBox;
  views::CompileMeter *m_meter;
  QLabel *m_explanation;
  QToolButton *m_meterButton;
  views::FactsLabel *m_resources;
  /// Those of the result, without the estimate.
  std::vector<views::Fact> m_facts;
  QLabel *m_message;
  QLabel *m_gpu;
  QToolButton *m_assumed;
  qsizetype m_numAssumptions = 0;
  /// The facts are on the right, beside a message.
  bool m_isAside = false;
};

} // namespace tilescope::app
