// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/StageColumns.h"

#include "app/ide/compile/ComparedResults.h"
#include "app/ide/docks/Arrangement.h"
#include "app/ide/docks/DockSet.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/history/HistoryController.h"
#include "app/ide/window/ActionTable.h"
#include "views/stages/StageColumn.h"

#include <QApplication>
#include <QComboBox>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::StageId;
using With = Comparison::With;

/// Of the digits, those below go to the columns of a GPU's stages, in order. Those that only
/// processors have are reached with Alt, and their places among a processor's stages.
static constexpr int kFirstOtherKey = 7;

static QString titleOf(StageId stage) {
  const std::string_view title = compiler::stageTitle(stage);
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

/// A stage is read-only: names the command that makes a copy to edit.
static QString readOnlyText(const ActionTable &actions, StageId stage) {
  const QString said = StageColumns::tr("%1 is read-only.").arg(titleOf(stage));
  if (!compiler::stageKind(stage).has(compiler::stage_trait::Document))
    return said;
  return StageColumns::tr("%1 Edit a copy: “%2” in the palette (%3)")
      .arg(said, actions.find(forkAction(stage))->text(),
           actions.find(QStringLiteral("palette"))->shortcut().toString());
}

// Making them
// ---------------------------------------------------------------------------------------

StageColumns::StageColumns(Parts parts, QObject *parent)
    : QObject(parent), m_parts(std::move(parts)),
      m_compared(new ComparedResults(m_parts.side, m_parts.compile, this)) {
  connect(m_compared, &ComparedResults::changed, this, &StageColumns::showCompared);
}

void StageColumns::create(const QStringList &extra) {
  int ofGpu = 0, ofCpu = 0;
  for (const StageId stage : compiler::stagesWith(compiler::stage_trait::Text)) {
    const bool isOfGpu = compiler::stageKind(stage).has(compiler::stage_trait::Gpu);
    ofGpu += isOfGpu;
    ofCpu += compiler::stageKind(stage).has(compiler::stage_trait::Cpu);
    const QString key = !isOfGpu                 ? QStringLiteral("Ctrl+Alt+%1").arg(ofCpu)
                        : ofGpu < kFirstOtherKey ? QStringLiteral("Ctrl+%1").arg(ofGpu)
                                                 : QString();
    add(stage, stageDockId(stage), titleOf(stage), QKeySequence(key));
  }
  for (const QString &id : extra)
    if (const std::optional<StageId> stage = stageOfExtraColumn(id);
        stage && !m_parts.docks->find(id))
      add(*stage, id, titleOfExtraColumn(id), {});
}

StageColumn *StageColumns::add(StageId stage, const QString &id, const QString &title,
                               const QKeySequence &key) {
  auto *column = new StageColumn(stage, m_parts.focus, m_parts.window);
  m_columns.emplace(stage, column);
  connect(column, &StageColumn::typedInto, this,
          [this, stage] { Q_EMIT said(readOnlyText(*m_parts.actions, stage)); });
  connect(column, &StageColumn::passIrWanted, m_parts.compile,
          [this, column](bool wanted) { m_parts.compile->setPassIrWanted(column, wanted); });
  connect(column, &StageColumn::choiceChanged, this, [this] {
    followComparisons(true);
    Q_EMIT choiceChanged();
  });
  m_parts.addDock({id, title, column, key, column->header()});
  return column;
}

static ViewDock *dockOf(const QWidget *view) {
  for (QWidget *around = view->parentWidget(); around; around = around->parentWidget())
    if (auto *dock = qobject_cast<ViewDock *>(around))
      return dock;
  return nullptr;
}

/// The one with the keyboard, or the last one in sight; null: there is none.
StageColumn *StageColumns::inUse() const {
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
void StageColumns::openAnother() {
  StageColumn *like = inUse();
  if (!like)
    return Q_EMIT said(tr("No column of a stage is in sight"));
  const StageId stage = like->stage();
  StageColumn *made = nullptr;
  QString id;
  for (int number = 2; !made; ++number) {
    id = extraColumnId(stage, number);
    if (ViewDock *known = m_parts.docks->find(id); !known)
      made = add(stage, id, titleOfExtraColumn(id), {});
    else if (known->isHidden())
      made = static_cast<StageColumn *>(known->widget());
  }
  ViewDock *beside = dockOf(like), *dock = m_parts.docks->find(id);
  m_parts.docks->addBeside(beside, dock);
  if (const CorrelationPointer &latest = m_parts.compile->latest()) {
    made->restore(latest);
    made->setBaseline(baselineOf(latest->result()->kernel));
  }
  made->setPass(like->pass());
  Q_EMIT opened(dock, made);
  followComparisons(true);
}

// Baselines
// -----------------------------------------------------------------------------------------

ResultPointer StageColumns::baselineOf(const std::string &kernel) const {
  const auto baseline = m_baselines.find({m_parts.compile->file(), kernel});
  return baseline == m_baselines.end() ? nullptr : baseline->second;
}

void StageColumns::setBaseline(const ResultPointer &result) {
  m_baselines[{m_parts.compile->file(), result->kernel}] = result;
  for (auto &[stage, column] : m_columns)
    column->setBaseline(result);
}

void StageColumns::forget(const QObject *file) {
  std::erase_if(m_baselines, [file](const auto &each) { return each.first.first == file; });
}

void StageColumns::restore(const CorrelationPointer &kept) {
  const ResultPointer baseline = baselineOf(m_parts.compile->document()->kernel());
  for (auto &[stage, column] : m_columns) {
    column->restore(kept);
    column->setBaseline(baseline);
  }
  followComparisons(false);
}

void StageColumns::finish(const ResultPointer &result) {
  ResultPointer &baseline = m_baselines[{m_parts.compile->file(), result->kernel}];
  if (!baseline && result->ok)
    baseline = result;
  for (auto &[stage, column] : m_columns)
    column->setBaseline(baseline);
  followComparisons(false);
}

void StageColumns::align(const QObject *except) {
  for (auto &[stage, column] : m_columns)
    if (column != except)
      column->align();
}

StageColumn *StageColumns::first(StageId stage) const {
  const auto column = m_columns.lower_bound(stage);
  return column == m_columns.end() || column->first != stage ? nullptr : column->second;
}

bool StageColumns::has(const QObject *view) const {
  return std::ranges::any_of(m_columns, [&](const auto &known) { return known.second == view; });
}

std::set<StageId> StageColumns::wantedStages() const {
  std::set<StageId> wanted;
  // The tree takes more time than the rest of a keystroke: it is made while it is in sight.
  for (const auto &[stage, column] : m_columns)
    if (const ViewDock *dock = dockOf(column);
        dock && !dock->isHidden() && (stage != StageId::Ast || dock->isInFront()))
      wanted.insert(stage);
  return wanted;
}

// What the session keeps
// ----------------------------------------------------------------------------

QStringList StageColumns::extraIds() const {
  QStringList ids;
  for (const QString &id : m_parts.docks->ids())
    if (stageOfExtraColumn(id) && !m_parts.docks->find(id)->isHidden())
      ids << id;
  return ids;
}

static constexpr std::pair<With, const char *> kComparisonNames[] = {
    {With::PreviousPass, "pass"}, {With::Baseline, "baseline"}, {With::Other, "other"}};

QMap<QString, SessionColumn> StageColumns::choices() const {
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

void StageColumns::restoreChoices(const QMap<QString, SessionColumn> &choices) {
  for (const auto &[id, choice] : choices.asKeyValueRange()) {
    const ViewDock *dock = m_parts.docks->find(id);
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

// Comparing
// -----------------------------------------------------------------------------------------

/// What columns can be compared with, and what must be compiled for those that are.
void StageColumns::followComparisons(bool isHurried) {
  std::vector<ComparisonOffer> offers = m_parts.versions()->offers();
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

void StageColumns::showCompared() {
  for (auto &[stage, column] : m_columns) {
    const Comparison &comparison = column->comparison();
    if (comparison.with != With::Other)
      continue;
    if (HistoryController::isVersion(comparison.key)) {
      const ResultPointer version = m_parts.versions()->resultOf(comparison.key);
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

// Commands
// ------------------------------------------------------------------------------------------

void StageColumns::addCommands() {
  const auto add = [this](const char *id, const QString &text, const char *keys,
                          const std::function<void(StageColumn &)> &act) {
    m_parts.actions->add(QString::fromLatin1(id), text, QKeySequence(QString::fromLatin1(keys)),
                         [this, act] {
                           if (StageColumn *column = inUse())
                             act(*column);
                           else
                             Q_EMIT said(tr("No column of a stage is in sight"));
                         });
  };
  add("newColumn", tr("New column of the stage in use"), "Ctrl+Alt+N",
      [this](StageColumn &) { openAnother(); });
  add("columnPass", tr("Choose the pass that the column shows…"), "Ctrl+Alt+V",
      [this](StageColumn &column) {
        if (column.passField().isHidden())
          return Q_EMIT said(tr("No passes make %1: columns of TTIR, TTGIR and LLVM IR have them")
                                 .arg(titleOf(column.stage())));
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
}

} // namespace tilescope::app
