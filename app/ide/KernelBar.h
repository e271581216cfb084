// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/CompileController.h"

#include <QToolBar>

#include <functional>

class QComboBox;
class QLabel;

namespace tilescope::app {

class RunController;

/// Adds a command to the window's.
using AddAction =
    std::function<QAction *(const QString &id, const QString &text, const QKeySequence &shortcut,
                            std::function<void()> handler)>;

/// The tool bar: which kernel is compiled, for which target and in which configuration. It shows
/// what the document has; what is chosen in it goes to the compile controller.
class KernelBar : public QToolBar {
  Q_OBJECT
public:
  KernelBar(CompileController *compile, RunController *run, const AddAction &addAction,
            QWidget *parent);

  /// What only a compile tells: kernels of documents in IR, warps, configurations.
  void showResult(const compiler::CompileResult &result);
  /// No file is open.
  void clear();

Q_SIGNALS:
  /// Empty: the default.
  void targetChosen(const QString &target);

protected:
  void changeEvent(QEvent *event) override;

private:
  QComboBox *addChoice(const QString &id, const QString &title, const QKeySequence &shortcut,
                       const AddAction &addAction);
  void createPin(const AddAction &addAction);
  void createConfigurations(const AddAction &addAction);
  void showDocument(const DocumentPointer &document);
  void updateKernels();
  void updateTargets();
  void pinKernel();

  CompileController *m_compile;
  RunController *m_run;
  QComboBox *m_kernels = nullptr;
  QAction *m_pin = nullptr;
  QComboBox *m_targets = nullptr;
  /// Those of `@triton.autotune`; hidden when there are none.
  QComboBox *m_configurations = nullptr;
  QAction *m_configurationsShown = nullptr;
  QLabel *m_options = nullptr;
};

} // namespace tilescope::app
