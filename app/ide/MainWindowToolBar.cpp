// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The tool bar: which kernel is compiled for what.
#include "app/ide/MainWindow.h"
#include "app/ide/RunController.h"
#include "views/common/Theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolBar>
#include <QToolButton>

namespace tilescope::app {

using namespace tilescope::views;

QComboBox *MainWindow::addChoice(QToolBar *bar, const QString &id, const QString &title,
                                 const QKeySequence &shortcut) {
  auto *group = new QWidget(bar);
  auto *label = new QLabel(title, group);
  label->setProperty("faint", true);
  auto *choice = new QComboBox(group);
  choice->setAccessibleName(title);
  auto *row = new QHBoxLayout(group);
  row->setContentsMargins(6, 0, 6, 0);
  row->setSpacing(6);
  row->addWidget(label);
  row->addWidget(choice);
  bar->addWidget(group);
  addAction(id, tr("Choose: %1…").arg(title.toLower()), shortcut, [choice] {
    choice->setFocus();
    choice->showPopup();
  });
  choice->setToolTip(QStringLiteral("%1 (%2)").arg(title, shortcut.toString()));
  return choice;
}

void MainWindow::createToolBar() {
  QToolBar *bar = addToolBar(tr("Kernel"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  bar->setIconSize(QSize(16, 16));
  m_kernels = addChoice(bar, QStringLiteral("chooseKernel"), tr("Kernel"),
                        QKeySequence(QStringLiteral("Ctrl+Shift+K")));
  m_kernels->setMinimumContentsLength(18);
  m_targets = addChoice(bar, QStringLiteral("chooseTarget"), tr("Target"),
                        QKeySequence(QStringLiteral("Ctrl+Alt+T")));
  static constexpr std::pair<const char *, const char *> kTargets[] = {
      {"", "default"},
      {"cuda:80", "cuda:80  A100"},
      {"cuda:86", "cuda:86  RTX 30"},
      {"cuda:89", "cuda:89  RTX 40"},
      {"cuda:90", "cuda:90  H100, H200"},
      {"cuda:100", "cuda:100  B200"},
      {"cuda:120", "cuda:120  RTX 50"}};
  for (const auto &[target, title] : kTargets)
    m_targets->addItem(QString::fromLatin1(title), QString::fromLatin1(target));
  m_targets->setCurrentIndex(std::max(0, m_targets->findData(m_session.target)));
  m_configurations = addChoice(bar, QStringLiteral("chooseConfiguration"), tr("Configuration"),
                               QKeySequence(QStringLiteral("Ctrl+Alt+C")));
  m_configurations->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_configurationsShown = bar->actions().last();
  m_configurationsShown->setVisible(false);
  m_optionsLabel = new QLabel(bar);
  m_optionsLabel->setProperty("muted", true);
  m_optionsLabel->setContentsMargins(12, 0, 0, 0);
  bar->addWidget(m_optionsLabel);
  auto *spacer = new QWidget(bar);
  spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(spacer);
  auto *runButton = new QToolButton(bar);
  runButton->setDefaultAction(action(QStringLiteral("run")));
  runButton->setText(tr("Run"));
  runButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->addWidget(runButton);
  bar->QWidget::addAction(action(QStringLiteral("themeToggle")));
  action(QStringLiteral("palette"))->setIcon(themedIcon(QStringLiteral("command")));
  bar->QWidget::addAction(action(QStringLiteral("palette")));
  connect(m_kernels, &QComboBox::activated, this, &MainWindow::reselect);
  connect(m_targets, &QComboBox::activated, this, &MainWindow::reselect);
  connect(m_configurations, &QComboBox::activated, m_run, &RunController::chooseConfiguration);
}

void MainWindow::reselect() {
  compiler::Selection selection = m_compile.selection();
  const std::string kernel = m_kernels->currentText().toStdString();
  // What was chosen for one kernel says nothing about another.
  if (selection.kernel != kernel) {
    compiler::Selection fresh;
    fresh.importPaths = selection.importPaths;
    selection = fresh;
  }
  selection.kernel = kernel;
  selection.target = m_targets->currentData().toString().toStdString();
  m_session.target = m_targets->currentData().toString();
  m_compile.setSelection(selection);
  scheduleSave();
}

} // namespace tilescope::app
