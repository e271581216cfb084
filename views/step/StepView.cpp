// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/step/StepView.h"

#include "views/common/ElidedLabel.h"
#include "views/common/InfoLines.h"
#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"
#include "views/step/StepModel.h"
#include "views/step/StepPicture.h"
#include "views/step/StepTable.h"
#include "views/step/StepText.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>

namespace tilescope::views {

using compiler::StageId;
using compiler::StepOrder;

enum Page { kContentPage, kEmptyPage };
/// Findings that are listed in a tool tip.
static constexpr size_t kMostListed = 12;

StepView::~StepView() = default;

QTableView &StepView::table() { return *m_table; }

static QString text(const std::string &value) { return QString::fromStdString(value); }

compiler::StepSight StepView::sight() const {
  compiler::StepSight sight;
  sight.frame = static_cast<uint32_t>(std::max(0, m_frame->currentIndex()));
  sight.allValues = m_allValues->isChecked();
  for (const QString &watch : m_watches)
    sight.watches.push_back(watch.toStdString());
  sight.block = m_block.toStdString();
  sight.blockVersion = m_picture->version();
  return sight;
}

std::array<int32_t, 3> StepView::program() const {
  return {m_program[0]->value(), m_program[1]->value(), m_program[2]->value()};
}

void StepView::setProgram(const std::array<int32_t, 3> &program) {
  for (size_t axis = 0; axis < program.size(); ++axis) {
    const QSignalBlocker blocker(m_program[axis]);
    // Whether the grid has it is known with the next state.
    m_program[axis]->setMaximum(std::max(m_program[axis]->maximum(), program[axis]));
    m_program[axis]->setValue(program[axis]);
  }
}

StepOrder StepView::order() const { return static_cast<StepOrder>(m_order->currentIndex()); }

StageId StepView::stage() const {
  return m_stage->currentIndex() == 0 ? StageId::Ttir : StageId::Ttgir;
}

void StepView::setStage(StageId stage) {
  const QSignalBlocker blocker(m_stage);
  m_stage->setCurrentIndex(stage == StageId::Ttgir ? 1 : 0);
}

bool StepView::stepsByOperation() const { return m_unit->currentIndex() == 1; }
bool StepView::stopsAtFindings() const { return m_findings->isChecked(); }
bool StepView::canExport() const { return m_hasState && m_picture->isDrawn(); }

bool StepView::exportSvg(const QString &path) const {
  return canExport() && writeSvg(m_picture->exported(positionLine()), path);
}

bool StepView::exportPng(const QString &path) const {
  return canExport() && writePng(m_picture->exported(positionLine()), path);
}

QString StepView::positionLine() const { return m_position->text(); }
QString StepView::reasonText() const { return m_reason->isHidden() ? QString() : m_reason->text(); }
QString StepView::staleText() const {
  return m_staleNote->isHidden() ? QString() : m_staleNote->text();
}

void StepView::setFiles(const std::vector<compiler::SourceFile> &files) {
  m_files.clear();
  for (const compiler::SourceFile &file : files)
    m_files << text(file.path).section(u'/', -1);
}

void StepView::setState(const compiler::StepState &state) {
  m_hasState = true;
  m_frame->show();
  m_watchField->show();
  m_state = state;
  m_pages->setCurrentIndex(kContentPage);
  for (size_t axis = 0; axis < m_program.size(); ++axis) {
    const QSignalBlocker blocker(m_program[axis]);
    m_program[axis]->setMaximum(std::max(0, state.grid[axis] - 1));
    m_program[axis]->setValue(state.program[axis]);
    m_program[axis]->setVisible(axis == 0 || state.grid[axis] > 1);
  }
  m_position->setText(positionText(state, stepsByOperation(), m_files));
  showFrames();
  showReason();
  const int row = m_table->currentIndex().row();
  const int numWatchesBefore = m_model->numWatches();
  const int scrolled = m_table->verticalScrollBar()->value();
  m_model->setState(state);
  // Of a value that is not there no other row is chosen.
  if (!m_constant.isEmpty())
    chooseRow(m_model->rowOfConstant(m_constant));
  else if (const int kept = m_model->rowOf(m_block); kept >= 0 || !m_block.isEmpty())
    chooseRow(kept);
  else if (row >= 0 && row < m_model->rowCount())
    chooseRow(row);
  showPicture();
  if (m_isFollowing && m_followedAt != state.time)
    followChange();
  // Watches stay in sight, whatever row is chosen; a new one is looked at.
  if (m_model->numWatches() == 0)
    return;
  const bool isNew = m_model->numWatches() > numWatchesBefore;
  m_table->verticalScrollBar()->setValue(isNew ? 0 : scrolled);
  if (isNew)
    m_table->scrollTo(m_model->index(m_model->numWatches() - 1, StepModel::Name));
}

/// The last block that the last step computed.
void StepView::followChange() {
  QString computed;
  for (const compiler::StepValue &value : m_state.values)
    if (value.isNamed && value.isBlock && value.isChanged &&
        value.type.find('[') != std::string::npos)
      computed = text(value.name);
  if (!computed.isEmpty())
    follow(computed);
}

void StepView::follow(const QString &name) {
  const int row = m_model->rowOf(name);
  if (row < 0)
    return;
  m_followedAt = m_state.time;
  if (name == m_block)
    return;
  m_block = name;
  m_constant.clear();
  chooseRow(row);
  Q_EMIT sightChanged();
}

void StepView::showFrames() {
  const QSignalBlocker blocker(m_frame);
  QStringList names;
  for (const compiler::StepFrame &frame : m_state.frames)
    names << frameText(frame, m_files);
  QStringList shown;
  for (int i = 0; i < m_frame->count(); ++i)
    shown << m_frame->itemText(i);
  if (names == shown)
    return;
  // Another depth of calls: the innermost function is the one to look at.
  const bool isAlike = names.size() == m_frame->count();
  const int current = isAlike ? m_frame->currentIndex() : 0;
  m_frame->clear();
  m_frame->addItems(names);
  m_frame->setCurrentIndex(std::min(current, static_cast<int>(names.size()) - 1));
  m_frame->setEnabled(names.size() > 1);
}

void StepView::showReason() {
  QString reason = text(m_state.reason);
  if (m_state.isInterrupted)
    reason = tr("stopped on request");
  if (!reason.isEmpty())
    reason[0] = reason[0].toUpper();
  // Text that can be selected is painted without the style.
  m_reason->setText(quotedCode(reason));
  m_reason->setVisible(!reason.isEmpty());
  setStyleProperty(m_reason, "tone", m_state.isFault ? QStringLiteral("error") : QString());
  QStringList lines;
  for (size_t i = 0; i < std::min(m_state.findings.size(), kMostListed); ++i)
    lines << text(m_state.findings[i]);
  for (size_t i = 0; i < std::min(m_state.prints.size(), kMostListed); ++i)
    lines << text(m_state.prints[i]).trimmed();
  m_reason->setToolTip(lines.join(u'\n'));
  m_position->setToolTip(
      m_state.underWay.size() > 1
          ? tr("%1 programs have begun and not ended: the program field goes from one to another.")
                .arg(m_state.underWay.size())
          : m_position->text());
  if (QAccessible::isActive() && !reason.isEmpty()) {
    QAccessibleValueChangeEvent event(m_reason, reason);
    QAccessible::updateAccessibility(&event);
  }
}

void StepView::showPicture() {
  if (m_state.block && text(m_state.block->name) == m_block)
    return m_picture->setBlock(*m_state.block);
  m_picture->clear(wordsWithoutPicture());
}

QString StepView::wordsWithoutPicture() const {
  if (!m_block.isEmpty())
    return tr("%1 has no value here.").arg(m_block);
  const compiler::StepValue *constant = m_model->value(m_model->rowOfConstant(m_constant));
  return constant ? tr("%1 is %2.").arg(m_constant, text(constant->preview))
                  : tr("Choose a value to see its elements.");
}

/// A row that the user goes to.
void StepView::choose(const QModelIndex &row) {
  const compiler::StepValue *value = m_model->value(row.row());
  const QString block = m_model->blockName(row.row());
  const QString constant = value && block.isEmpty() ? text(value->name) : QString();
  if (!row.isValid() || !value || (block == m_block && constant == m_constant))
    return;
  m_isFollowing = false;
  m_block = block;
  m_constant = constant;
  // Nothing of the value before is left beside it.
  if (block.isEmpty())
    m_picture->clear(wordsWithoutPicture());
  Q_EMIT sightChanged();
}

void StepView::forgetChoice() {
  m_block.clear();
  m_constant.clear();
  m_isFollowing = true;
}

void StepView::chooseRow(int row) {
  if (m_table->currentIndex().row() == row)
    return;
  const QSignalBlocker blocker(m_table->selectionModel());
  m_table->setCurrentIndex(m_model->index(row, StepModel::Name));
  m_table->viewport()->update();
}

void StepView::setBusy(bool isBusy, const QString &said) {
  m_progress->setVisible(isBusy);
  if (isBusy && !said.isEmpty())
    m_position->setText(said);
  if (!m_hasState)
    m_empty->setText(!isBusy          ? m_whyEmpty
                     : said.isEmpty() ? tr("On the way to the first stop…")
                                      : said);
}

QString StepView::howToBegin() {
  return tr("Step over (F10) begins with the first line of a program.");
}

void StepView::clear(const QString &why, bool offersBlock) {
  m_hasState = false;
  m_state = {};
  m_model->clear();
  m_frame->clear();
  m_picture->clear(tr("Choose a value to see its elements."));
  setStaleNote({});
  m_whyEmpty = why;
  setBusy(false);
  m_position->setText({});
  m_frame->hide();
  m_watchField->hide();
  m_writeBlock->setVisible(offersBlock);
  m_pages->setCurrentIndex(kEmptyPage);
}

/// Names, values and types speak for themselves: a low view has another row in place of their titles.
void StepView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  m_table->horizontalHeader()->setHidden(isLowView(size()));
}

void StepView::setStaleNote(const QString &note) {
  m_staleNote->setText(note);
  m_staleNote->setVisible(!note.isEmpty());
}

void StepView::setBreakpoints(const std::vector<compiler::StepBreakpoint> &breakpoints) {
  m_breakpoints = breakpoints;
  const QSignalBlocker blocker(m_breakpointList);
  m_breakpointList->clear();
  m_breakpointList->addItem(breakpoints.size() == 1 ? tr("1 breakpoint")
                                                    : tr("%1 breakpoints").arg(breakpoints.size()));
  for (const compiler::StepBreakpoint &each : breakpoints) {
    const QString place =
        each.stage ? tr("%1 line %2")
                         .arg(QString::fromLatin1(compiler::stageTitle(*each.stage).data()),
                              QString::number(each.line + 1))
                   : tr("Line %1").arg(each.line + 1);
    m_breakpointList->addItem(
        each.condition.empty() ? place : tr("%1 if %2").arg(place, text(each.condition)));
  }
  m_breakpointList->setVisible(!breakpoints.empty());
}

void StepView::setWatches(const QStringList &watches) {
  m_watches = watches;
  Q_EMIT sightChanged();
}

void StepView::changeWatches() {
  Q_EMIT watchesChanged();
  Q_EMIT sightChanged();
}

void StepView::addWatch() {
  const QString typed = m_watchField->text().trimmed();
  if (typed.isEmpty())
    return;
  m_watchField->clear();
  if (const qsizetype row = m_watches.indexOf(typed); row >= 0 && row < m_model->numWatches())
    return chooseRow(static_cast<int>(row));
  m_watches << typed;
  changeWatches();
}

void StepView::removeWatch(int row) {
  if (row < 0 || row >= m_watches.size())
    return;
  m_watches.removeAt(row);
  changeWatches();
}

/// It is typed again where new ones are typed.
void StepView::editWatch(int row) {
  if (row < 0 || row >= m_watches.size())
    return;
  const QString edited = m_watches.takeAt(row);
  changeWatches();
  m_watchField->setText(edited);
  m_watchField->setFocus();
}

} // namespace tilescope::views
