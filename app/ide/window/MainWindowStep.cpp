// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Step mode in the window: its commands, its view, and where it goes in the text.
#include "app/ide/docks/BorrowedRoom.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/run/RunController.h"
#include "app/ide/step/StepController.h"
#include "app/ide/step/StepWorker.h"
#include "app/ide/window/MainWindow.h"
#include "app/launch/Programs.h"
#include "views/common/Theme.h"
#include "views/layout/LayoutDiagram.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"
#include "views/step/StepText.h"
#include "views/step/StepView.h"

#include <QApplication>
#include <QComboBox>
#include <QInputDialog>
#include <QStatusBar>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::StageId;
using compiler::StepAction;

namespace {
/// The part of the window's height that a view at the bottom takes by itself, in percent.
constexpr int kMostOfHeight = 45;
constexpr int kMostOfHeightBelowPictures = 34;
/// How long a sentence stays in the status bar.
constexpr int kSaidMs = 8000;

/// Asks for the condition of a breakpoint, until it can be read.
class ConditionDialog : public QInputDialog {
public:
  /// `check` says what is wrong with a condition.
  ConditionDialog(std::function<QString(const QString &)> check, QWidget *parent)
      : QInputDialog(parent), m_check(std::move(check)) {}

  void done(int result) override {
    const QString problem = result == Accepted ? m_check(textValue().trimmed()) : QString();
    if (problem.isEmpty())
      return QInputDialog::done(result);
    if (m_label.isEmpty())
      m_label = labelText();
    setLabelText(QStringLiteral("%1\n\n%2").arg(m_label, problem));
  }

private:
  std::function<QString(const QString &)> m_check;
  QString m_label;
};

struct StepCommandKind {
  const char *id;
  const char *title;
  const char *shortTitle;
  const char *keys;
  const char *icon;
  StepAction action;
};
} // namespace

static constexpr StepCommandKind kStepCommands[] = {
    {"stepOver", QT_TRANSLATE_NOOP("MainWindow", "Step over"), "Over", "F10", "step-over",
     StepAction::Over},
    {"stepBack", QT_TRANSLATE_NOOP("MainWindow", "Step back"), "Back", "Shift+F10", "step-back",
     StepAction::BackOver},
    {"stepInto", QT_TRANSLATE_NOOP("MainWindow", "Step into"), "Into", "F11", "step-into",
     StepAction::Into},
    {"stepOut", QT_TRANSLATE_NOOP("MainWindow", "Step out"), "Out", "Shift+F11", "step-out",
     StepAction::Out},
    {"stepBackInto", QT_TRANSLATE_NOOP("MainWindow", "Step back into"), "", "Ctrl+F11", "",
     StepAction::BackInto},
    {"stepBackOut", QT_TRANSLATE_NOOP("MainWindow", "Step back out"), "", "Ctrl+Shift+F11", "",
     StepAction::BackOut},
    {"stepContinue", QT_TRANSLATE_NOOP("MainWindow", "Continue to the next breakpoint"), "", "F7",
     "continue", StepAction::Continue},
    {"stepReverse", QT_TRANSLATE_NOOP("MainWindow", "Continue back to the last breakpoint"), "",
     "Shift+F7", "reverse", StepAction::ReverseContinue},
};

void MainWindow::createStepDock() {
  if (!m_options.steps)
    m_options.steps = new StepWorker(workerProgram(), this);
  m_steps = new StepController(m_options.steps, &m_compile, this);
  addDock(QStringLiteral("step"), tr("Step"), m_steps->view(),
          QKeySequence(QStringLiteral("Ctrl+Shift+E")));
  for (const auto &[stage, column] : m_columns)
    if (stage == StageId::Ttir || stage == StageId::Ttgir)
      m_steps->addColumn(stage, column);
  connect(m_steps, &StepController::watchesChanged, this, [this] {
    m_session.stepWatches[m_steppedPath] = m_steps->view()->watches();
    scheduleSave();
  });
  connect(m_steps, &StepController::choiceChanged, this, [this] {
    m_session.stepsTtgir = m_steps->view()->stage() == StageId::Ttgir;
    scheduleSave();
  });
  if (m_session.stepsTtgir)
    m_steps->view()->setStage(StageId::Ttgir);
  connect(m_steps, &StepController::viewRequested, this, &MainWindow::showStepView);
  m_stepRoom = new BorrowedRoom(dock(QStringLiteral("step")), this, &m_docks->maximized(),
                                [this] { return m_steps->view()->hasState() ? stepRoom() : 0; });
  connect(m_steps, &StepController::said, this,
          [this](const QString &what) { statusBar()->showMessage(what, kSaidMs); });
  connect(m_steps, &StepController::placeRequested, this, &MainWindow::goToPlace);
  connect(m_steps, &StepController::fileRequested, this, &MainWindow::showStepFile);
  connect(m_steps, &StepController::begun, this, &MainWindow::showStepWatches);
  // Columns and pictures follow; the cursor stays where the user has put it.
  connect(m_steps, &StepController::stopped, this, [this](const SourceRange &range) {
    if (showsResultOfPage())
      m_focus.setSelected(focusAt(range.begin), this);
  });
  connect(m_steps, &StepController::layoutRequested, this, [this](StageId stage, int line) {
    Focus focus;
    focus.stage = stage;
    focus.position = {static_cast<uint32_t>(line), 0};
    if (m_compile.latest())
      focus.sources = m_compile.latest()->sourcesOf(stage, static_cast<uint32_t>(line));
    m_focus.setSelected(focus, this);
    dock(QStringLiteral("layout"))->show();
    dock(QStringLiteral("layout"))->raise();
  });
  connect(m_steps->view(), &StepView::launchBlockRequested, this, [this] {
    m_run->writeSuggestedBlock();
    goToEditor();
  });
  connect(&m_run->view()->results(), &ResultsView::writeRequested, m_steps,
          &StepController::goToWrite);
  connect(&m_run->view()->results(), &ResultsView::faultRequested, m_steps,
          &StepController::goToFault);
}

/// Watches are of names, which each file has its own of.
void MainWindow::showStepWatches(const QString &path) {
  m_steppedPath = path;
  const QSignalBlocker blocker(m_steps->view());
  m_steps->view()->setWatches(m_session.stepWatches.value(path));
}

/// The cursor and the keyboard stay where they are, as far as they can.
void MainWindow::showStepFile(const QObject *stepped, const compiler::SourceFile &file) {
  QWidget *focus = QApplication::focusWidget();
  const bool isInEditor = !focus || m_tabs->isAncestorOf(focus);
  EditorPage *shown = nullptr;
  for (EditorPage *page : m_tabs->pages())
    if (page == stepped)
      m_tabs->setCurrentWidget(shown = page);
  if (!shown && !stepped)
    shown = m_tabs->showPath(QString::fromStdString(file.path));
  if (!shown && !stepped)
    shown = showFile(file);
  if (shown && isInEditor)
    shown->editor().setFocus();
  else if (focus)
    focus->setFocus();
}

/// What is stepped is in the editor and in the view: both are in sight. The keyboard stays.
void MainWindow::showStepView(bool hasBegun) {
  ViewDock *step = dock(QStringLiteral("step"));
  if (m_docks->maximized().view() != step)
    m_docks->maximized().restore();
  if (!hasBegun && step->isHidden())
    return;
  step->show();
  step->raise();
  if (hasBegun)
    m_stepRoom->take(stepRoom());
}

int MainWindow::stepRoom() const {
  return std::min(m_steps->view()->usefulHeight(), roomToBorrow());
}

int MainWindow::roomToBorrow() const {
  // Above it are pictures, which need some, too.
  const int share =
      m_docks->workspace() == Workspace::See ? kMostOfHeightBelowPictures : kMostOfHeight;
  return height() * share / 100;
}

void MainWindow::createStepActions() {
  QList<QAction *> buttons;
  for (const StepCommandKind &kind : kStepCommands) {
    QAction *added = m_actions.add(QString::fromLatin1(kind.id), tr(kind.title),
                                   QKeySequence(QString::fromLatin1(kind.keys)),
                                   [this, action = kind.action] { stepProgram(action); });
    if (*kind.icon == '\0')
      continue;
    added->setIcon(themedIcon(QString::fromLatin1(kind.icon), ColorRole::Accent));
    added->setToolTip(QStringLiteral("%1 (%2)").arg(tr(kind.title), added->shortcut().toString()));
    buttons << added;
  }
  QAction *restart =
      m_actions.add(QStringLiteral("stepRestart"), tr("Restart stepping with the newest text"),
                    QKeySequence(QStringLiteral("Ctrl+F10")), [this] {
                      if (!m_compile.document())
                        recompile();
                      m_steps->restart();
                    });
  restart->setIcon(themedIcon(QStringLiteral("restart"), ColorRole::Accent));
  QAction *stop =
      m_actions.add(QStringLiteral("stepStop"), tr("Stop the step under way"),
                    QKeySequence(QStringLiteral("Ctrl+F7")), [this] { m_steps->cancel(); });
  stop->setIcon(themedIcon(QStringLiteral("stop"), ColorRole::Error));
  stop->setEnabled(false);
  connect(m_steps, &StepController::busyChanged, stop, &QAction::setEnabled);
  m_actions.add(QStringLiteral("stepToCursor"), tr("Step to the cursor"),
                QKeySequence(QStringLiteral("Ctrl+Shift+F10")), [this] {
                  if (editor())
                    m_steps->runTo(editor()->cursor().line);
                });
  createStepChoices();
  m_actions.add(QStringLiteral("breakpoint"), tr("Set or remove a breakpoint"),
                QKeySequence(QStringLiteral("F9")), [this] {
                  if (!m_steps->toggleInColumn() && editor())
                    editor()->toggleBreakpoint(editor()->cursor().line);
                });
  m_actions.add(QStringLiteral("breakpointCondition"), tr("Breakpoint with a condition…"),
                QKeySequence(QStringLiteral("Shift+F9")), [this] { askForCondition(); });
  m_actions.add(QStringLiteral("clearBreakpoints"), tr("Remove all breakpoints of the file"), {},
                [this] { m_steps->clearBreakpoints(); });
  m_steps->view()->setCommands({buttons[0], buttons[2], buttons[3], nullptr, buttons[1], nullptr,
                                buttons[4], buttons[5], nullptr, restart, stop});
}

/// What steps are through, and how long one is.
void MainWindow::createStepChoices() {
  const auto add = [this](const char *id, const QString &text, QComboBox &field, int choice) {
    m_actions.add(QString::fromLatin1(id), text, {}, [this, &field, choice] {
      ViewDock *step = dock(QStringLiteral("step"));
      step->show();
      step->raise();
      field.setCurrentIndex(choice);
    });
  };
  StepView &view = *m_steps->view();
  add("stepTtir", tr("Step through TTIR"), view.stageField(), 0);
  add("stepTtgir", tr("Step through TTGIR"), view.stageField(), 1);
  add("stepByLine", tr("Step by line"), view.unitField(), 0);
  add("stepByOperation", tr("Step by operation"), view.unitField(), 1);
}

void MainWindow::stepProgram(StepAction action) {
  // A file that is compiled only when asked is asked for now.
  if (!m_compile.document())
    recompile();
  m_steps->act(action);
}

/// The name at the cursor, or that of the first variable that the line assigns.
static QString nameAt(const KernelEditor &editor) {
  const QString line = editor.text(static_cast<int>(editor.cursor().line));
  static const QRegularExpression kTarget(QStringLiteral("^\\s*([A-Za-z_]\\w*)"));
  const QRegularExpressionMatch match = kTarget.match(line);
  return match.hasMatch() ? match.captured(1) : QStringLiteral("x");
}

/// Asks for the condition of a breakpoint, of which one may be known; `names`: what is offered
/// conditions are about.
static ConditionDialog *conditionDialog(MainWindow *window, std::optional<StageId> stage,
                                        const QString &place, const std::string &known,
                                        const QString &name, const QString &names) {
  QStringList offered;
  if (!known.empty())
    offered << QString::fromStdString(known);
  for (const ConditionPreset &preset : conditionPresets())
    offered << QString::fromLatin1(preset.condition).arg(name);
  const auto check = [steps = window->steps(), stage](const QString &condition) {
    return steps->problemOf(condition, stage);
  };
  auto *dialog = new ConditionDialog(check, window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(MainWindow::tr("Breakpoint in %1").arg(place));
  dialog->setLabelText(
      MainWindow::tr("Stop where any element of this is other than 0. %1").arg(names));
  dialog->setComboBoxItems(offered);
  dialog->setComboBoxEditable(true);
  dialog->setTextValue(offered.front());
  return dialog;
}

void MainWindow::askForCondition() {
  if (const auto at = m_steps->lineInColumn()) {
    const std::string_view title = compiler::stageTitle(at->stage);
    auto *dialog = conditionDialog(
        this, at->stage,
        tr("%1, line %2")
            .arg(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())))
            .arg(at->line + 1),
        at->condition, at->value.isEmpty() ? QStringLiteral("x") : at->value,
        tr("Names are those of the IR, with %, or of the source: any(isnan(%acc_12)), max(offs) >= "
           "n. The line itself is not executed yet."));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, stage = at->stage, line = at->line](const QString &typed) {
              m_steps->setCondition(stage, line, typed.trimmed().toStdString());
            });
    return dialog->open();
  }
  if (!editor())
    return;
  const uint32_t line = editor()->cursor().line;
  const auto known = editor()->breakpoints();
  const auto found = known.find(line);
  auto *dialog = conditionDialog(
      this, std::nullopt, tr("line %1").arg(line + 1),
      found == known.end() ? std::string() : found->second, nameAt(*editor()),
      tr("Names are those of the source: any(isnan(acc)), not any(mask), max(offs) >= n."));
  connect(dialog, &QInputDialog::textValueSelected, this, [this, line](const QString &typed) {
    if (editor())
      editor()->setCondition(line, typed.trimmed().toStdString());
  });
  dialog->open();
}

void MainWindow::followStepEditor() {
  EditorPage *page = currentPage();
  m_steps->setEditor(page ? &page->editor() : nullptr, page, page ? page->path() : QString());
}

} // namespace tilescope::app
