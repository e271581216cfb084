// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"

#include <QToolBar>

#include <utility>
#include <vector>

class QComboBox;
class QLabel;

namespace tilescope::app {

class ActionTable;
class RunController;

/// The tool bar: which kernel is compiled, for which target and in which configuration. It shows
/// what the document has; what is chosen in it goes to the compile controller.
class KernelBar : public QToolBar {
  Q_OBJECT
public:
  KernelBar(CompileController *compile, RunController *run, ActionTable &commands, QWidget *parent);

  /// What is known only after a compile: kernels of documents in IR, warps, configurations.
  void showResult(const compiler::CompileResult &result);
  /// Something else is being compiled, whose warps and stages are not known yet.
  void showPending();
  /// Another kernel or file is: what it had the last time; null: nothing is known of it.
  void showKept(const ResultPointer &kept);
  /// No file is open.
  void clear();

Q_SIGNALS:
  /// Empty: the default.
  void targetChosen(const QString &target);
  /// The kernel in the current text, at its place.
  void kernelChosen(const tilescope::Position &place);
  /// A command could do nothing, and why.
  void explained(const QString &why);
  /// The keyboard is done with the lists.
  void left();

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  QComboBox *addChoice(const QString &id, const QString &title, const QKeySequence &shortcut,
                       ActionTable &commands);
  void addTargetCommands(ActionTable &commands);
  void chooseTarget(const QString &target);
  /// Why a list offers nothing.
  QString whyNoChoice(const QComboBox &choice) const;
  void closeRest();
  void createRunButton(ActionTable &commands);
  void createPin(ActionTable &commands);
  void createConfigurations(ActionTable &commands);
  void showDocument(const DocumentPointer &document);
  void updateKernels();
  void updateConfigurations();
  void updateTargets();
  void pinKernel();

  CompileController *m_compile;
  RunController *m_run;
  QComboBox *m_kernels = nullptr;
  /// Whose kernels are listed.
  const QObject *m_listedFile = nullptr;
  QAction *m_pin = nullptr;
  QComboBox *m_targets = nullptr;
  /// What is listed: titles and targets.
  std::vector<std::pair<QString, QString>> m_targetEntries;
  /// Those of `@triton.autotune`; hidden when there are none.
  QComboBox *m_configurations = nullptr;
  QAction *m_configurationsShown = nullptr;
  QLabel *m_options = nullptr;
};

} // namespace tilescope::app
