// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Columns of stages: as many as the user wants, what each shows and is compared with, and the pass
// at which all views are.
#include "app/ide/compile/ComparedResults.h"
#include "app/ide/compile/OtherKernels.h"
#include "app/ide/compile/PassFollower.h"
#include "app/ide/compile/SharedController.h"
#include "app/ide/docks/Arrangement.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/history/HistoryController.h"
#include "app/ide/step/StepController.h"
#include "app/ide/window/MainWindow.h"
#include "views/layout/LayoutDiagram.h"
#include "views/passes/PassesView.h"
#include "views/stages/StageColumn.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QStatusBar>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::StageId;
using compiler::StepAction;
using With = Comparison::With;

/// Of the digits, those below go to the columns of stages, in order.
static constexpr int kFirstOtherKey = 7;
/// How long a sentence stays in the status bar.
static constexpr int kSaidMs = 6000;

static QString titleOf(StageId stage) {
  const std::string_view title = compiler::stageTitle(stage);
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

/// A stage is read-only: names the command that makes a copy to edit.
static void explainReadOnly(const MainWindow &window, StageId stage) {
  QString said = MainWindow::tr("%1 is read-only.").arg(titleOf(stage));
  if (compiler::stageKind(stage).has(compiler::stage_trait::Document))
    said = MainWindow::tr("%1 Edit a copy: “%2” in the palette (%3)")
               .arg(said, window.action(forkAction(stage))->text(),
                    window.action(QStringLiteral("palette"))->shortcut().toString());
  window.statusBar()->showMessage(said, kSaidMs);
}

// Making them
// ---------------------------------------------------------------------------------------

void MainWindow::createColumns() {
  m_side = new SideCompiles(m_backend, &m_compile, this);
  connect(m_side, &SideCompiles::busyChanged, m_others, &OtherKernels::setHeld);
  m_compared = new ComparedResults(m_side, &m_compile, this);
  connect(m_compared, &ComparedResults::changed, this, &MainWindow::showCompared);
  m_follower = new PassFollower(m_side, &m_compile, this);
  connectHover();
  int number = 0;
  for (const StageId stage : compiler::stagesWith(compiler::stage_trait::Text)) {
    const QString key =
        ++number < kFirstOtherKey ? QStringLiteral("Ctrl+%1").arg(number) : QString();
    addColumn(stage, stageDockId(stage), titleOf(stage), QKeySequence(key));
  }
  for (const QString &id : m_session.columns)
    if (const std::optional<StageId> stage = stageOfExtraColumn(id); stage && !m_docks->find(id))
      addColumn(*stage, id, titleOfExtraColumn(id), {});
}

StageColumn *MainWindow::addColumn(StageId stage, const QString &id, const QString &title,
                                   const QKeySequence &key) {
  auto *column = new StageColumn(stage, &m_focus, this);
  m_columns.emplace(stage, column);
  connect(column, &StageColumn::typedInto, this, [this, stage] { explainReadOnly(*this, stage); });
  connect(column, &StageColumn::passIrWanted, &m_compile,
          [this, column](bool wanted) { m_compile.setPassIrWanted(column, wanted); });
  connect(column, &StageColumn::choiceChanged, this, [this] {
    followComparisons(true);
    scheduleSave();
  });
  addDock(id, title, column, key, column->header());
  return column;
}

ViewDock *MainWindow::dockOf(const QWidget *view) const {
  for (QWidget *around = view->parentWidget(); around; around = around->parentWidget())
    if (auto *dock = qobject_cast<ViewDock *>(around))
      return dock;
  return nullptr;
}

/// The one with the keyboard, or the last one in sight; null: there is none.
StageColumn *MainWindow::columnInUse() const {
  StageColumn *inSight = nullptr;
  for (const auto &[stage, column] : m_columns) {
    const ViewDock *dock = dockOf(column);
    if (dock && dock->isAncestorOf(QApplication::focusWidget()))
      return column;
    if (dock && dock->isInFront())
      inSight = column;
  }
  return inSight;
}

/// Takes up one that was closed, if there is one of this stage.
void MainWindow::newColumn() {
  StageColumn *like = columnInUse();
  if (!like)
    return statusBar()->showMessage(tr("No column of a stage is in sight"), kSaidMs);
  const StageId stage = like->stage();
  StageColumn *made = nullptr;
  QString id;
  for (int number = 2; !made; ++number) {
    id = extraColumnId(stage, number);
    if (ViewDock *known = m_docks->find(id); !known)
      made = addColumn(stage, id, titleOfExtraColumn(id), {});
    else if (known->isHidden())
      made = static_cast<StageColumn *>(known->widget());
  }
  ViewDock *beside = dockOf(like), *dock = m_docks->find(id);
  m_docks->addBeside(beside, dock);
  if (stage == StageId::Ttir || stage == StageId::Ttgir)
    m_steps->addColumn(stage, made);
  if (const CorrelationPointer &latest = m_compile.latest()) {
    made->restore(latest);
    made->setBaseline(baselineOf(latest->result()->kernel));
  }
  made->setPass(like->pass());
  updateWantedStages();
  followComparisons(true);
  goToView(dock);
  scheduleSave();
}

ResultPointer MainWindow::baselineOf(const std::string &kernel) const {
  const auto baseline = m_baselines.find({m_compile.file(), kernel});
  return baseline == m_baselines.end() ? nullptr : baseline->second;
}

static constexpr std::pair<With, const char *> kComparisonNames[] = {
    {With::PreviousPass, "pass"}, {With::Baseline, "baseline"}, {With::Other, "other"}};

QMap<QString, SessionColumn> MainWindow::columnChoices() const {
  QMap<QString, SessionColumn> choices;
  for (const auto &[stage, column] : m_columns) {
    const ViewDock *dock = dockOf(column);
    if (!dock || (stageOfExtraColumn(dock->objectName()) && dock->isHidden()))
      continue;
    SessionColumn choice;
    if (column->pass()) {
      choice.pass = QString::fromStdString(column->pass()->name);
      choice.turn = column->pass()->turn;
    }
    for (const auto &[with, name] : kComparisonNames)
      if (with == column->comparison().with)
        choice.comparedWith = QString::fromLatin1(name);
    choice.key = QString::fromStdString(column->comparison().key);
    choice.title = column->comparison().title;
    if (choice != SessionColumn())
      choices[dock->objectName()] = choice;
  }
  return choices;
}

void MainWindow::restoreColumnChoices() {
  for (const auto &[id, choice] : std::as_const(m_session.columnChoices).asKeyValueRange()) {
    const ViewDock *dock = m_docks->find(id);
    auto *column = dock ? qobject_cast<StageColumn *>(dock->widget()) : nullptr;
    if (!column)
      continue;
    if (!choice.pass.isEmpty())
      column->setPass(PassKey{column->stage(), choice.pass.toStdString(), choice.turn});
    for (const auto &[with, name] : kComparisonNames)
      if (choice.comparedWith == QLatin1StringView(name))
        column->setComparison({with, choice.key.toStdString(), choice.title});
  }
}

// Hovering
// ------------------------------------------------------------------------------------------

/// A pointer on its way brings nothing into view.
static constexpr int kDwellMs = 300;

void MainWindow::connectHover() {
  m_hoverTimer.setSingleShot(true);
  m_hoverTimer.setInterval(kDwellMs);
  connect(&m_hoverTimer, &QTimer::timeout, this, &MainWindow::revealHovered);
  connect(&m_focus, &FocusState::hoveredChanged, this,
          [this](const Focus &focus, const QObject *author) {
            m_hoverAuthor = author;
            if (focus.sources.empty())
              m_hoverTimer.stop();
            else
              m_hoverTimer.start();
          });
}

/// Pictures point at so many places that nothing would stand still.
void MainWindow::revealHovered() {
  const bool isText = m_hoverAuthor == this || m_hoverAuthor == m_passes ||
                      std::ranges::any_of(m_columns, [this](const auto &known) {
                        return known.second == m_hoverAuthor;
                      });
  if (!isText)
    return;
  for (auto &[stage, column] : m_columns)
    if (column != m_hoverAuthor && column->isVisible())
      column->align();
  if (m_hoverAuthor == this || !editor())
    return;
  if (const auto places = inEditor(m_focus.hovered().sources); !places.empty())
    editor()->revealLine(places.front().begin.line);
}

// Comparing
// -----------------------------------------------------------------------------------------

/// What columns can be compared with, and what must be compiled for those that are.
void MainWindow::followComparisons(bool isHurried) {
  std::vector<ComparisonOffer> offers = m_versions->offers();
  std::ranges::move(m_compared->offers(), std::back_inserter(offers));
  std::vector<ComparedResults::Need> needs;
  for (auto &[stage, column] : m_columns) {
    column->setOffers(offers);
    const Comparison &comparison = column->comparison();
    if (comparison.with == With::Other && !HistoryController::isVersion(comparison.key))
      needs.push_back({comparison.key, stage, column->needsPasses()});
  }
  m_compared->setNeeds(needs, isHurried);
  showCompared();
}

void MainWindow::showCompared() {
  for (auto &[stage, column] : m_columns) {
    const Comparison &comparison = column->comparison();
    if (comparison.with != With::Other)
      continue;
    if (HistoryController::isVersion(comparison.key)) {
      const ResultPointer version = m_versions->resultOf(comparison.key);
      column->setOther(version,
                       version ? QString()
                               : tr("the stages of %1 are no longer kept").arg(comparison.title));
      continue;
    }
    const ComparedResults::Answer answer = m_compared->answer(comparison.key);
    column->setOther(answer.result, answer.result || answer.note.isEmpty()
                                        ? answer.note
                                        : tr("%1: %2").arg(comparison.title, answer.note));
  }
}

// Passes
// --------------------------------------------------------------------------------------------

/// All views go to the pass that the Passes view is at, or back to the end.
void MainWindow::followPass() {
  const std::optional<PassKey> pass = m_passes->followedPass();
  for (auto &[stage, column] : m_columns)
    column->setFollowedPass(pass);
  m_follower->follow(pass);
}

void MainWindow::showBehindPass(const ResultPointer &behind) {
  const compiler::PassRecord *record = behind ? m_follower->laidOutIr() : nullptr;
  const QString pass = record ? passTitle(*m_follower->pass()) : QString();
  m_sharedFacts->setBehind(record ? std::optional(SharedController::Behind{pass, *record})
                                  : std::nullopt);
  if (behind)
    m_layout->setResult(behind);
  else if (m_compile.latest())
    m_layout->setResult(m_compile.latest()->result());
  if (record)
    m_layout->setNote(tr("After %1, where the Passes view is.").arg(pass));
}

void MainWindow::connectPasses() {
  connect(m_passes, &PassesView::passIrWanted, &m_compile,
          [this](bool wanted) { m_compile.setPassIrWanted(m_passes, wanted); });
  connect(m_passes, &PassesView::followedPassChanged, this, &MainWindow::followPass);
  const ViewDock *passes = dock(QStringLiteral("passes"));
  connect(passes, &QDockWidget::visibilityChanged, m_passes, &PassesView::setInFront);
  // Qt does not say that a view comes into sight when it is taken out from behind others.
  connect(passes, &QDockWidget::topLevelChanged, m_passes, [this](bool isFloating) {
    if (isFloating)
      m_passes->setInFront(true);
  });
  connect(m_follower, &PassFollower::said, m_passes, &PassesView::setEstimate);
  connect(m_follower, &PassFollower::found, this, &MainWindow::showBehindPass);
}

// Commands
// ------------------------------------------------------------------------------------------

void MainWindow::createColumnActions() {
  const auto add = [this](const char *id, const QString &text, const char *keys,
                          const std::function<void(StageColumn &)> &act) {
    m_actions.add(QString::fromLatin1(id), text, QKeySequence(QString::fromLatin1(keys)),
                  [this, act] {
                    if (StageColumn *column = columnInUse())
                      act(*column);
                    else
                      statusBar()->showMessage(tr("No column of a stage is in sight"), kSaidMs);
                  });
  };
  add("newColumn", tr("New column of the stage in use"), "Ctrl+Alt+N",
      [this](StageColumn &) { newColumn(); });
  add("columnPass", tr("Choose the pass that the column shows…"), "Ctrl+Alt+V",
      [this](StageColumn &column) {
        if (column.passField().isHidden())
          return statusBar()->showMessage(
              tr("No passes make %1: columns of TTIR, TTGIR and LLVM IR have them")
                  .arg(titleOf(column.stage())),
              kSaidMs);
        column.passField().setFocus();
        column.passField().showPopup();
      });
  add("columnComparison", tr("Choose what the column is compared with…"), "Ctrl+Alt+D",
      [](StageColumn &column) {
        column.comparisonField().setFocus();
        column.comparisonField().showPopup();
      });
  add("nextColumnPass", tr("Column: after the next pass"), "Ctrl+Alt+PgDown",
      [](StageColumn &column) { column.stepPass(true); });
  add("previousColumnPass", tr("Column: after the pass before"), "Ctrl+Alt+PgUp",
      [](StageColumn &column) { column.stepPass(false); });
  const auto toggle = [this](const char *id, const QString &text, QCheckBox &box) {
    m_actions.add(QString::fromLatin1(id), text, {}, [this, &box] {
      goToView(dock(QStringLiteral("passes")));
      box.toggle();
    });
  };
  toggle("onlyChangedPasses", tr("Passes: list only changes, or all"), m_passes->onlyChangedBox());
  toggle("passesAsDiff", tr("Passes: show code as a diff, or whole"), m_passes->diffBox());
  m_actions.add(QStringLiteral("followPass"), tr("Show the chosen pass in all views"),
                QKeySequence(QStringLiteral("Ctrl+Alt+F")), [this] {
                  ViewDock *passes = dock(QStringLiteral("passes"));
                  // Out of sight it leads nobody: the key brings it back to do so.
                  const bool leads = passes->isInFront() && m_passes->followBox().isChecked();
                  goToView(passes);
                  m_passes->followBox().setChecked(!leads);
                });
}

} // namespace tilescope::app
