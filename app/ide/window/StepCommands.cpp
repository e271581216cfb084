// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/StepCommands.h"

#include "app/ide/docks/DockSet.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/step/ProposedCondition.h"
#include "app/ide/step/StepController.h"
#include "app/ide/window/ActionTable.h"
#include "views/common/Theme.h"
#include "views/editor/KernelEditor.h"
#include "views/step/StepView.h"

#include <QComboBox>
#include <QInputDialog>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::StageId;
using compiler::StepAction;

namespace {
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
    {"stepOver", QT_TRANSLATE_NOOP("StepCommands", "Step over"), "Over", "F10", "step-over",
     StepAction::Over},
    {"stepBack", QT_TRANSLATE_NOOP("StepCommands", "Step back"), "Back", "Shift+F10", "step-back",
     StepAction::BackOver},
    {"stepInto", QT_TRANSLATE_NOOP("StepCommands", "Step into"), "Into", "F11", "step-into",
     StepAction::Into},
    {"stepOut", QT_TRANSLATE_NOOP("StepCommands", "Step out"), "Out", "Shift+F11", "step-out",
     StepAction::Out},
    {"stepBackInto", QT_TRANSLATE_NOOP("StepCommands", "Step back into"), "", "Ctrl+F11", "",
     StepAction::BackInto},
    {"stepBackOut", QT_TRANSLATE_NOOP("StepCommands", "Step back out"), "", "Ctrl+Shift+F11", "",
     StepAction::BackOut},
    {"stepContinue", QT_TRANSLATE_NOOP("StepCommands", "Continue to the next breakpoint"), "", "F7",
     "continue", StepAction::Continue},
    {"stepReverse", QT_TRANSLATE_NOOP("StepCommands", "Continue back to the last breakpoint"), "",
     "Shift+F7", "reverse", StepAction::ReverseContinue},
};

StepCommands::StepCommands(Parts parts, QObject *parent)
    : QObject(parent), m_parts(std::move(parts)) {
  create();
}

void StepCommands::create() {
  QList<QAction *> buttons;
  for (const StepCommandKind &kind : kStepCommands) {
    QAction *added = m_parts.actions->add(QString::fromLatin1(kind.id), tr(kind.title),
                                          QKeySequence(QString::fromLatin1(kind.keys)),
                                          [this, action = kind.action] { act(action); });
    if (*kind.icon == '\0')
      continue;
    added->setIcon(themedIcon(QString::fromLatin1(kind.icon), ColorRole::Accent));
    added->setToolTip(QStringLiteral("%1 (%2)").arg(tr(kind.title), added->shortcut().toString()));
    buttons << added;
  }
  QAction *restart = m_parts.actions->add(QStringLiteral("stepRestart"),
                                          tr("Restart stepping with the newest text"),
                                          QKeySequence(QStringLiteral("Ctrl+F10")), [this] {
                                            m_parts.compile();
                                            m_parts.steps->restart();
                                          });
  restart->setIcon(themedIcon(QStringLiteral("restart"), ColorRole::Accent));
  QAction *stop = m_parts.actions->add(QStringLiteral("stepStop"), tr("Stop the step under way"),
                                       QKeySequence(QStringLiteral("Ctrl+F7")),
                                       [this] { m_parts.steps->cancel(); });
  stop->setIcon(themedIcon(QStringLiteral("stop"), ColorRole::Error));
  stop->setEnabled(false);
  connect(m_parts.steps, &StepController::busyChanged, stop, &QAction::setEnabled);
  m_parts.actions->add(QStringLiteral("stepToCursor"), tr("Step to the cursor"),
                       QKeySequence(QStringLiteral("Ctrl+Shift+F10")), [this] {
                         if (m_parts.editor())
                           m_parts.steps->runTo(m_parts.editor()->cursor().line);
                       });
  createChoices();
  m_parts.actions->add(QStringLiteral("breakpoint"), tr("Set or remove a breakpoint"),
                       QKeySequence(QStringLiteral("F9")), [this] {
                         if (!m_parts.steps->toggleInColumn() && m_parts.editor())
                           m_parts.editor()->toggleBreakpoint(m_parts.editor()->cursor().line);
                       });
  m_parts.actions->add(QStringLiteral("breakpointCondition"), tr("Breakpoint with a condition…"),
                       QKeySequence(QStringLiteral("Shift+F9")), [this] { askForCondition(); });
  m_parts.actions->add(QStringLiteral("clearBreakpoints"), tr("Remove all breakpoints of the file"),
                       {}, [this] { m_parts.steps->clearBreakpoints(); });
  m_parts.steps->view()->setCommands({buttons[0], buttons[2], buttons[3], nullptr, buttons[1],
                                      nullptr, buttons[4], buttons[5], nullptr, restart, stop});
}

/// What steps are through, and how long one is.
void StepCommands::createChoices() {
  const auto add = [this](const char *id, const QString &text, QComboBox &field, int choice) {
    m_parts.actions->add(QString::fromLatin1(id), text, {}, [this, &field, choice] {
      ViewDock *step = m_parts.docks->find(QStringLiteral("step"));
      step->show();
      step->raise();
      field.setCurrentIndex(choice);
    });
  };
  StepView &view = *m_parts.steps->view();
  add("stepTtir", tr("Step through TTIR"), view.stageField(), 0);
  add("stepTtgir", tr("Step through TTGIR"), view.stageField(), 1);
  add("stepByLine", tr("Step by line"), view.unitField(), 0);
  add("stepByOperation", tr("Step by operation"), view.unitField(), 1);
}

void StepCommands::act(StepAction action) {
  m_parts.compile();
  m_parts.steps->act(action);
}

/// Asks for the condition of a breakpoint, of which one may be known; `names`: what conditions are
/// about.
static ConditionDialog *conditionDialog(const StepController *steps, std::optional<StageId> stage,
                                        const QString &place, const std::string &known,
                                        QStringList offered, const QString &names) {
  if (!known.empty())
    offered.prepend(QString::fromStdString(known));
  const auto check = [steps, stage](const QString &condition) {
    return steps->problemOf(condition, stage);
  };
  auto *dialog = new ConditionDialog(check, steps->view()->window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(StepCommands::tr("Breakpoint in %1").arg(place));
  dialog->setLabelText(
      StepCommands::tr("Stop where any element of this is other than 0. %1").arg(names));
  dialog->setComboBoxItems(offered);
  dialog->setComboBoxEditable(true);
  // One that begins like another one is typed, not completed.
  if (auto *box = dialog->findChild<QComboBox *>())
    box->setCompleter(nullptr);
  dialog->setTextValue(offered.value(0));
  return dialog;
}

void StepCommands::askForCondition() {
  if (const auto at = m_parts.steps->lineInColumn()) {
    const std::string_view title = compiler::stageTitle(at->stage);
    auto *dialog = conditionDialog(
        m_parts.steps, at->stage,
        tr("%1, line %2")
            .arg(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())))
            .arg(at->line + 1),
        at->condition, at->value.isEmpty() ? QStringList() : conditionsAbout({at->value}),
        tr("Names are those of the IR, with %, or of the source: any(isnan(%acc_12)), max(offs) >= "
           "n. The line itself is not executed yet."));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, stage = at->stage, line = at->line](const QString &typed) {
              m_parts.steps->setCondition(stage, line, typed.trimmed().toStdString());
            });
    return dialog->open();
  }
  if (!m_parts.editor())
    return;
  const uint32_t line = m_parts.editor()->cursor().line;
  const auto known = m_parts.editor()->breakpoints();
  const auto found = known.find(line);
  auto *dialog = conditionDialog(
      m_parts.steps, std::nullopt, tr("line %1").arg(line + 1),
      found == known.end() ? std::string() : found->second, m_parts.steps->proposedConditions(line),
      tr("Names are those of the source: any(isnan(acc)), not any(mask), max(offs) >= n."));
  connect(dialog, &QInputDialog::textValueSelected, this, [this, line](const QString &typed) {
    if (m_parts.editor())
      m_parts.editor()->setCondition(line, typed.trimmed().toStdString());
  });
  dialog->open();
}

} // namespace tilescope::app
