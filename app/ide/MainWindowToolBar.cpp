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

static constexpr std::pair<const char *, const char *> kTargets[] = {
    {"", "default"},
    {"cuda:80", "cuda:80  A100"},
    {"cuda:86", "cuda:86  RTX 30"},
    {"cuda:89", "cuda:89  RTX 40"},
    {"cuda:90", "cuda:90  H100, H200"},
    {"cuda:100", "cuda:100  B200"},
    {"cuda:120", "cuda:120  RTX 50"}};

void MainWindow::createToolBar() {
  QToolBar *bar = addToolBar(tr("Kernel"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  bar->setIconSize(QSize(16, 16));
  createSelectors(bar);
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
}

void MainWindow::createSelectors(QToolBar *bar) {
  m_kernels = addChoice(bar, QStringLiteral("chooseKernel"), tr("Kernel"),
                        QKeySequence(QStringLiteral("Ctrl+Shift+K")));
  m_kernels->setMinimumContentsLength(18);
  m_pin = addAction(QStringLiteral("pinKernel"), tr("Pin the kernel"),
                    QKeySequence(QStringLiteral("Ctrl+Alt+P")), [this] {
                      const DocumentPointer &document = m_compile.document();
                      if (!document)
                        return;
                      KernelChoice choice = document->choice;
                      choice.isPinned = m_pin->isChecked();
                      if (choice.isPinned && choice.kernel.empty())
                        choice.kernel = m_kernels->currentText().toStdString();
                      m_compile.setChoice(choice);
                    });
  m_pin->setCheckable(true);
  m_pin->setIcon(themedIcon(QStringLiteral("pin")));
  m_pin->setToolTip(tr("Keep this kernel while the cursor moves through others (%1)")
                        .arg(m_pin->shortcut().toString()));
  bar->QWidget::addAction(m_pin);
  m_targets = addChoice(bar, QStringLiteral("chooseTarget"), tr("Target"),
                        QKeySequence(QStringLiteral("Ctrl+Alt+T")));
  for (const auto &[target, title] : kTargets)
    m_targets->addItem(QString::fromLatin1(title), QString::fromLatin1(target));
  m_compile.setChosenTarget(m_session.target.toStdString());
  updateTargets();
  m_configurations = addChoice(bar, QStringLiteral("chooseConfiguration"), tr("Configuration"),
                               QKeySequence(QStringLiteral("Ctrl+Alt+C")));
  m_configurations->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_configurationsShown = bar->actions().last();
  m_configurationsShown->setVisible(false);
  m_optionsLabel = new QLabel(bar);
  m_optionsLabel->setProperty("muted", true);
  m_optionsLabel->setContentsMargins(12, 0, 0, 0);
  bar->addWidget(m_optionsLabel);
  connect(m_kernels, &QComboBox::activated, this, [this] {
    const DocumentPointer &document = m_compile.document();
    if (document)
      m_compile.setChoice(chooseKernel(*document, m_kernels->currentText().toStdString()));
  });
  connect(m_targets, &QComboBox::activated, this, &MainWindow::chooseTarget);
  connect(m_configurations, &QComboBox::activated, m_run, &RunController::chooseConfiguration);
}

void MainWindow::chooseTarget() {
  m_session.target = m_targets->currentData().toString();
  m_compile.setChosenTarget(m_session.target.toStdString());
  updateTargets();
  scheduleSave();
}

/// Shows what is compiled for: the GPU that Run would use, which leaves nothing to choose, or the
/// last choice.
void MainWindow::updateTargets() {
  const bool isGiven = !m_compile.runTarget().empty();
  const QString target =
      QString::fromStdString(isGiven ? m_compile.runTarget() : m_compile.chosenTarget());
  if (m_targets->findData(target) < 0)
    m_targets->addItem(target, target);
  m_targets->setCurrentIndex(m_targets->findData(target));
  m_targets->setEnabled(!isGiven);
  m_targets->setToolTip(isGiven ? tr("The GPU that Run uses. Choose the interpreter in the Run "
                                     "view to compile for another.")
                                : tr("Target (%1)").arg(QStringLiteral("Ctrl+Alt+T")));
}

void MainWindow::showDocument(const DocumentPointer &document) {
  m_pin->setChecked(document && document->choice.isPinned);
  updateTargets();
  updateKernels();
}

/// The kernels of the text; of a document in IR, what its compile found.
void MainWindow::updateKernels() {
  const DocumentPointer &document = m_compile.document();
  QStringList names;
  QString current;
  if (document) {
    for (const SourceKernel &kernel : document->source->kernels)
      if (!kernel.isCalled)
        names << QString::fromStdString(kernel.name);
    current = QString::fromStdString(document->kernel());
  }
  if (const CorrelationPointer &latest = m_compile.latest(); latest && m_compile.isCurrent()) {
    for (const std::string &name : latest->result()->kernels)
      if (const QString kernel = QString::fromStdString(name); !names.contains(kernel))
        names << kernel;
    if (!latest->result()->kernel.empty())
      current = QString::fromStdString(latest->result()->kernel);
  }
  const QSignalBlocker blocker(m_kernels);
  m_kernels->clear();
  m_kernels->addItems(names);
  m_kernels->setCurrentIndex(static_cast<int>(names.indexOf(current)));
}

void MainWindow::updateSelectors(const compiler::CompileResult &result) {
  updateKernels();
  auto option = [&](const char *name) {
    const auto value = result.options.find(name);
    return value == result.options.end() ? QStringLiteral("–")
                                         : QString::fromStdString(value->second);
  };
  const compiler::KernelMetadata &metadata = result.metadata;
  const QString warps =
      metadata.name.empty() ? option("num_warps") : QString::number(metadata.numWarps);
  const QString stages =
      metadata.name.empty() ? option("num_stages") : QString::number(metadata.numStages);
  m_optionsLabel->setText(tr("%1 warps  ·  %2 stages").arg(warps, stages));
  const QStringList configurations = m_run->configurationTitles();
  m_configurationsShown->setVisible(!configurations.isEmpty());
  const QSignalBlocker blocker(m_configurations);
  m_configurations->clear();
  m_configurations->addItems(configurations);
  m_configurations->setCurrentIndex(m_run->chosenConfiguration());
}

} // namespace tilescope::app
