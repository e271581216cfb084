// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/KernelBar.h"

#include "app/ide/compile/Targets.h"
#include "app/ide/run/RunController.h"
#include "app/ide/window/ActionTable.h"
#include "compiler/artifacts/CpuTarget.h"
#include "views/common/CountedText.h"
#include "views/common/Theme.h"
#include "views/layout/FilteredComboBox.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QToolButton>

namespace tilescope::app {

using views::themedIcon;

KernelBar::KernelBar(CompileController *compile, RunController *run, ActionTable &commands,
                     QWidget *parent)
    : QToolBar(tr("Kernel"), parent), m_compile(compile), m_run(run) {
  setObjectName(QStringLiteral("toolbar"));
  setMovable(false);
  createRunButton(commands);
  m_kernels = addChoice(QStringLiteral("chooseKernel"), tr("Kernel"),
                        QKeySequence(QStringLiteral("Ctrl+Shift+K")), commands);
  m_kernels->setMinimumContentsLength(18);
  createPin(commands);
  m_targets = addChoice(QStringLiteral("chooseTarget"), tr("Target"),
                        QKeySequence(QStringLiteral("Ctrl+Alt+T")), commands);
  m_targets->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  updateTargets();
  addTargetCommands(commands);
  createConfigurations(commands);
  m_options = new QLabel(this);
  m_options->setProperty("muted", true);
  m_options->setContentsMargins(12, 0, 0, 0);
  m_options->setToolTip(tr("Warps: how many groups of 32 threads run a program together.\n"
                           "Stages: how many steps of a loop are under way at once, so that loads "
                           "run ahead of the code that needs them."));
  addWidget(m_options);
  connect(m_kernels, &QComboBox::activated, this, [this] {
    // A copy: the choice makes another document.
    const DocumentPointer document = m_compile->document();
    if (!document)
      return;
    const std::string kernel = m_kernels->currentText().toStdString();
    m_compile->setChoice(chooseKernel(*document, kernel));
    if (const SourceKernel *chosen = findKernel(document->source->kernels, kernel))
      Q_EMIT kernelChosen(chosen->range.begin);
  });
  connect(m_targets, &QComboBox::activated, this,
          [this] { chooseTarget(m_targets->currentData().toString()); });
  connect(m_configurations, &QComboBox::activated, m_run, &RunController::chooseConfiguration);
  connect(m_compile, &CompileController::documentChanged, this, &KernelBar::showDocument);
}

void KernelBar::changeEvent(QEvent *event) {
  QToolBar::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange)
    return;
  setIconSize(QSize(views::scaledPx(16), views::scaledPx(16)));
  // Later: what it holds has its new size then.
  QMetaObject::invokeMethod(this, &KernelBar::closeRest, Qt::QueuedConnection);
}

/// Qt closes the opened rest of a tool bar only when the pointer leaves it: after text has become
/// smaller, it would stay open, with its button, over the others.
void KernelBar::closeRest() {
  auto *window = qobject_cast<QMainWindow *>(parentWidget());
  if (!window)
    return;
  // Qt does not lay out what it is still moving.
  const bool isAnimated = window->isAnimated();
  window->setAnimated(false);
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(this, &leave);
  window->setAnimated(isAnimated);
  layout()->invalidate();
}

QComboBox *KernelBar::addChoice(const QString &id, const QString &title,
                                const QKeySequence &shortcut, ActionTable &commands) {
  auto *group = new QWidget(this);
  auto *label = new QLabel(title, group);
  label->setProperty("faint", true);
  auto *choice = new views::FilteredComboBox(group);
  choice->setAccessibleName(title);
  // The ligatures of some fonts show a kernel named `conv3x3` with a multiplication sign.
  QFont font = choice->font();
  font.setStyleStrategy(QFont::PreferNoShaping);
  choice->setFont(font);
  auto *row = new QHBoxLayout(group);
  row->setContentsMargins(6, 0, 6, 0);
  row->setSpacing(6);
  row->addWidget(label);
  row->addWidget(choice);
  addWidget(group);
  commands.add(id, tr("Choose the %1…").arg(title.toLower()), shortcut, [this, choice] {
    if (choice->count() == 0 || !choice->isEnabled())
      return Q_EMIT explained(whyNoChoice(*choice));
    choice->setFocus();
    choice->showPopup();
  });
  for (QObject *watched : {static_cast<QObject *>(choice), static_cast<QObject *>(choice->view())})
    watched->installEventFilter(this);
  choice->setToolTip(QStringLiteral("%1 (%2)").arg(title, shortcut.toString()));
  return choice;
}

void KernelBar::chooseTarget(const QString &target) {
  if (!m_targets->isEnabled())
    return Q_EMIT explained(whyNoChoice(*m_targets));
  m_compile->setChosenTarget(target.toStdString());
  updateTargets();
  Q_EMIT targetChosen(target);
}

/// Each target is found in the palette by its name, or by a machine that has it.
void KernelBar::addTargetCommands(ActionTable &commands) {
  for (const auto &[target, title] : kTargets) {
    const QString id = QString::fromLatin1(target);
    commands.add(QStringLiteral("target.") + id,
                 tr("Target: %1").arg(QString::fromLatin1(title).simplified()), {},
                 [this, id] { chooseTarget(id); });
  }
}

QString KernelBar::whyNoChoice(const QComboBox &choice) const {
  if (&choice == m_targets)
    return choice.toolTip();
  if (!m_compile->document())
    return tr("No file that is compiled is open");
  if (&choice == m_kernels)
    return tr("The file has no kernel: a function decorated with `@triton.jit`");
  return tr("`%1` has no configurations to choose from: no `@triton.autotune` or "
            "`@triton.heuristics`")
      .arg(QString::fromStdString(m_compile->document()->kernel()));
}

/// First, so that it is there however little fits. The button runs, or stops what runs.
void KernelBar::createRunButton(ActionTable &commands) {
  auto *button = new QToolButton(this);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  addWidget(button);
  const auto showRunning = [button, run = commands.find(QStringLiteral("run")),
                            stop = commands.find(QStringLiteral("cancelRun"))](bool running) {
    stop->setEnabled(running);
    button->removeAction(running ? run : stop);
    button->setDefaultAction(running ? stop : run);
  };
  showRunning(false);
  connect(m_run, &RunController::busyChanged, button, showRunning);
}

/// Escape leaves a list, open or not, for the editor.
bool KernelBar::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape)
    // The list closes first.
    QMetaObject::invokeMethod(this, &KernelBar::left, Qt::QueuedConnection);
  return QToolBar::eventFilter(watched, event);
}

void KernelBar::createPin(ActionTable &commands) {
  m_pin = commands.add(QStringLiteral("pinKernel"), tr("Pin the kernel"),
                       QKeySequence(QStringLiteral("Ctrl+Alt+P")), [this] { pinKernel(); });
  m_pin->setCheckable(true);
  m_pin->setIcon(themedIcon(QStringLiteral("pin")));
  m_pin->setToolTip(tr("Keep this kernel while the cursor moves through others (%1)")
                        .arg(m_pin->shortcut().toString()));
  QWidget::addAction(m_pin);
}

void KernelBar::pinKernel() {
  const DocumentPointer &document = m_compile->document();
  if (!document)
    return;
  KernelChoice choice = document->choice;
  choice.isPinned = m_pin->isChecked();
  if (choice.isPinned && choice.kernel.empty())
    choice.kernel = m_kernels->currentText().toStdString();
  m_compile->setChoice(choice);
  m_compile->followKnownCursor();
}

void KernelBar::createConfigurations(ActionTable &commands) {
  m_configurations = addChoice(QStringLiteral("chooseConfiguration"), tr("Configuration"),
                               QKeySequence(QStringLiteral("Ctrl+Alt+C")), commands);
  m_configurations->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_configurationsShown = actions().last();
  m_configurationsShown->setVisible(false);
}

/// With the machines that have it, where they are known.
static QString targetTitle(const QString &target) {
  for (const auto &[known, title] : kTargets)
    if (target == QLatin1String(known))
      return QString::fromLatin1(title);
  return target;
}

/// `target`: what is chosen, or given by Run; empty: nothing. The first entry chooses nothing, and
/// says what that comes to; so that target is not in the list a second time.
static std::vector<std::pair<QString, QString>> targetEntries(const QString &target,
                                                              const QString &actual) {
  const QString usual = QString::fromLatin1(compiler::kDefaultTarget);
  const QString unchosen = actual.isEmpty() ? usual : actual;
  std::vector<std::pair<QString, QString>> entries;
  if (target == unchosen)
    entries.emplace_back(KernelBar::tr("the document's, or the default"), QString());
  else
    entries.emplace_back(unchosen == usual
                             ? KernelBar::tr("default: %1").arg(targetTitle(unchosen))
                             : KernelBar::tr("document: %1").arg(targetTitle(unchosen)),
                         QString());
  bool isKnown = target.isEmpty();
  for (const auto &[known, title] : kTargets) {
    const QString id = QString::fromLatin1(known);
    isKnown |= id == target;
    if (id != unchosen || id == target)
      entries.emplace_back(QString::fromLatin1(title), id);
  }
  if (!isKnown)
    entries.emplace_back(target, target);
  return entries;
}

/// Shows what is compiled for: the GPU that Run would use, which leaves nothing to choose, or the
/// last choice.
void KernelBar::updateTargets() {
  const CorrelationPointer &latest = m_compile->latest();
  const bool isGiven = !m_compile->runTarget().empty();
  const QString target =
      QString::fromStdString(isGiven ? m_compile->runTarget() : m_compile->chosenTarget());
  const bool isTold = target.isEmpty() && latest && m_compile->isCurrent();
  const auto entries =
      targetEntries(target, isTold ? QString::fromStdString(latest->result()->target) : QString());
  // A list that is open stays as it is where nothing changes.
  if (entries != m_targetEntries) {
    m_targets->clear();
    for (const auto &[title, id] : entries)
      m_targets->addItem(title, id);
    m_targetEntries = entries;
  }
  m_targets->setCurrentIndex(m_targets->findData(target));
  m_targets->setEnabled(!isGiven);
  m_targets->setToolTip(isGiven ? tr("The GPU that Run uses. Choose the interpreter in the Run "
                                     "view to compile for another GPU.")
                                : tr("Target (%1)").arg(QStringLiteral("Ctrl+Alt+T")));
}

void KernelBar::showDocument(const DocumentPointer &document) {
  m_pin->setChecked(document && document->choice.isPinned);
  updateTargets();
  updateKernels();
}

/// The kernels of the text; of a document in IR, what its compile found.
void KernelBar::updateKernels() {
  const DocumentPointer &document = m_compile->document();
  QStringList names;
  QString current;
  if (document) {
    for (const SourceKernel &kernel : document->source->kernels)
      if (!kernel.isCalled)
        names << QString::fromStdString(kernel.name);
    current = QString::fromStdString(document->kernel());
  }
  if (const CorrelationPointer &latest = m_compile->latest(); latest && m_compile->isCurrent()) {
    for (const std::string &name : latest->result()->kernels)
      if (const QString kernel = QString::fromStdString(name); !names.contains(kernel))
        names << kernel;
    // A launch block may name a kernel that does not exist.
    if (const QString made = QString::fromStdString(latest->result()->kernel); names.contains(made))
      current = made;
  }
  // While a text does not parse, its kernel may not be in it.
  if (document && !document->source->syntaxErrors.empty() && !current.isEmpty() &&
      !names.contains(current))
    names << current;
  // What a document in IR holds is known only while it can be read.
  const bool isSameFile = std::exchange(m_listedFile, m_compile->file()) == m_compile->file();
  if (document && document->source->entry != compiler::StageId::Ast && names.isEmpty() &&
      isSameFile)
    return;
  const QSignalBlocker blocker(m_kernels);
  m_kernels->clear();
  m_kernels->addItems(names);
  m_kernels->setCurrentIndex(static_cast<int>(names.indexOf(current)));
}

static QString optionsText(const QString &warps, const QString &stages) {
  return views::countedText(warps, KernelBar::tr("warp")) + QStringLiteral("  ·  ") +
         views::countedText(stages, KernelBar::tr("stage"));
}

void KernelBar::showResult(const compiler::CompileResult &result) {
  updateTargets();
  updateKernels();
  const auto option = [&](const char *name) {
    const auto value = result.options.find(name);
    return value == result.options.end() ? QStringLiteral("–")
                                         : QString::fromStdString(value->second);
  };
  const compiler::KernelMetadata &metadata = result.metadata;
  const QString warps =
      metadata.name.empty() ? option("num_warps") : QString::number(metadata.numWarps);
  const QString stages =
      metadata.name.empty() ? option("num_stages") : QString::number(metadata.numStages);
  // A processor has neither.
  m_options->setText(compiler::isCpuTarget(result.target) ? QString() : optionsText(warps, stages));
  updateConfigurations();
}

void KernelBar::updateConfigurations() {
  const QStringList configurations = m_run->configurationTitles();
  m_configurationsShown->setVisible(!configurations.isEmpty());
  const QSignalBlocker blocker(m_configurations);
  m_configurations->clear();
  m_configurations->addItems(configurations);
  m_configurations->setCurrentIndex(m_run->chosenConfiguration());
}

void KernelBar::showPending() {
  m_options->setText(optionsText(QStringLiteral("…"), QStringLiteral("…")));
  m_configurations->setCurrentIndex(m_run->chosenConfiguration());
}

void KernelBar::showKept(const ResultPointer &kept) {
  if (kept)
    showResult(*kept);
  else
    updateConfigurations();
  showPending();
}

void KernelBar::clear() {
  m_listedFile = nullptr;
  m_kernels->clear();
  m_configurations->clear();
  m_configurationsShown->setVisible(false);
  m_options->clear();
}

} // namespace tilescope::app
