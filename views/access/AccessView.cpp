// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/access/AccessView.h"

#include "compiler/access/picture/AccessWords.h"
#include "views/access/AccessChoice.h"
#include "views/access/AccessListModel.h"
#include "views/access/AccessText.h"
#include "views/access/BulkCanvas.h"
#include "views/common/ElidedLabel.h"
#include "views/common/RequestText.h"
#include "views/common/Scrubber.h"

#include <QScopedValueRollback>
#include <QSpinBox>
#include <QTableView>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using compiler::AccessFacts;
using compiler::RecordedExecution;
using Scrub = RequestCanvas::Scrub;

AccessView::~AccessView() = default;

static QString text(const std::string &value) { return QString::fromStdString(value); }

void AccessView::setContent(AccessContentPointer content) {
  const AccessWish before = wish();
  const bool isOfOther =
      !m_content || m_content->facts->accesses.size() != content->facts->accesses.size();
  m_content = std::move(content);
  showContent();
  setStaleNote({});
  updateList();
  const auto count = static_cast<int>(m_content->facts->accesses.size());
  const int meant = chooseAccess(m_content->facts->accesses, m_focus->selected(), m_access);
  const bool stays = m_access >= 0 && m_access < count && (!m_isAtCursor || meant < 0);
  const int bulk = stays || meant >= 0                         ? -1
                   : !isOfOther && bulkCopy() && !m_isAtCursor ? m_uncounted
                                                               : chosenBulkCopy(false);
  if (bulk >= 0)
    showUncounted(bulk);
  else
    showAccess(stays ? m_access : meant);
  // The user may have gone on meanwhile.
  if (!isOfOther && before.program != m_content->record.program)
    m_program->setState(m_program->count(), programNumber(before.program, m_content->facts->grid));
}

void AccessView::setGridFacts(MemoryFactsPointer facts, const QString &why) {
  m_gridFacts = std::move(facts);
  m_whyNoGrid = why;
  updateList();
  updateHeader();
}

std::optional<std::array<int32_t, 3>> AccessView::grid() const {
  return m_content ? std::optional(m_content->facts->grid) : std::nullopt;
}

void AccessView::clear(const QString &why, bool offersBlock) {
  m_content.reset();
  m_gridFacts.reset();
  m_picture.reset();
  m_access = m_uncounted = m_pinned = -1;
  m_model->setFacts(nullptr);
  m_canvas->setContent({});
  m_bulkCanvas->setContent({});
  showNothing(why, offersBlock);
}

AccessWish AccessView::wish() const {
  if (!m_content)
    return {};
  return {
      programAt(m_program->value(), m_content->facts->grid),
      {static_cast<uint32_t>(std::max(m_access, 0)), static_cast<uint64_t>(m_iteration->value())}};
}

void AccessView::askForMissing() {
  const AccessWish wanted = wish();
  if (m_content && wanted != m_content->wish)
    Q_EMIT wishChanged(wanted);
}

MemoryFactsPointer AccessView::shownFacts() const {
  if (!m_content)
    return nullptr;
  const bool isKnown =
      m_gridFacts && m_gridFacts->accesses.size() == m_content->facts->accesses.size();
  return isKnown ? m_gridFacts : m_content->facts;
}

const AccessFacts *AccessView::current() const {
  return m_access < 0 ? nullptr : &shownFacts()->accesses[static_cast<size_t>(m_access)];
}

const compiler::RecordedAccess *AccessView::recorded() const {
  return m_access < 0 ? nullptr : &m_content->record.accesses[static_cast<size_t>(m_access)];
}

const RecordedExecution *AccessView::execution() const {
  const compiler::RecordedAccess *access = recorded();
  if (!access)
    return nullptr;
  const auto wanted = static_cast<uint64_t>(m_iteration->value());
  const auto found = std::ranges::find(access->executions, wanted, &RecordedExecution::iteration);
  return found == access->executions.end() ? nullptr : &*found;
}

void AccessView::follow() {
  if (!m_content || m_focus->selected().isNew)
    return;
  const int meant = chooseAccess(m_content->facts->accesses, m_focus->selected(), m_access);
  if (meant == m_access && m_isAtCursor && m_uncounted < 0)
    return;
  if (const int bulk = meant < 0 ? chosenBulkCopy(false) : -1; bulk >= 0) {
    if (bulk != m_uncounted)
      showUncounted(bulk);
    return;
  }
  m_isAtCursor = meant >= 0;
  if (meant >= 0 && (meant != m_access || m_uncounted >= 0))
    showAccess(meant);
  else
    updateHeader();
}

/// The worst that the user wrote: a load or store of global memory, where there is one.
static int firstAccess(const std::vector<AccessFacts> &accesses) {
  const std::vector<size_t> order = access::worstFirst(accesses);
  const auto written = std::ranges::find_if(order, [&](size_t index) {
    return !isShared(accesses[index].action) && accesses[index].range.file == 0;
  });
  const auto first = written != order.end() ? written : order.begin();
  return order.empty() ? -1 : static_cast<int>(*first);
}

/// -1: the worst.
void AccessView::showAccess(int access) {
  const auto &accesses = m_content->facts->accesses;
  if (access < 0) {
    access = firstAccess(accesses);
    const bool isOfGlobal = access >= 0 && !isShared(accesses[static_cast<size_t>(access)].action);
    if (const int bulk = isOfGlobal ? -1 : chosenBulkCopy(true); bulk >= 0)
      return showUncounted(bulk);
  }
  const bool isOther = access != m_access;
  m_uncounted = -1;
  m_access = access;
  m_isAtCursor = access >= 0 && chooseAccess(accesses, m_focus->selected(), access) == access;
  m_picture.reset();
  if (const compiler::RecordedAccess *shown = recorded())
    m_picture = std::make_unique<access::AccessPicture>(
        *shown, accesses[static_cast<size_t>(access)].action);
  if (isOther)
    m_iteration->setState(1, 0);
  updateScrubbers();
  if (isOther && m_picture) {
    const auto [warp, instruction] = m_picture->firstRequest(execution());
    m_warp->setState(m_warp->count(), static_cast<qint64>(warp));
    m_instruction->setState(m_instruction->count(), static_cast<qint64>(instruction));
  }
  showRow();
  updateHeader();
  drawRequest();
  const compiler::RecordedAccess *shown = recorded();
  if (shown && !execution() && shown->numExecutions > 0 && !isShared(current()->action))
    askForMissing();
}

void AccessView::showUncounted(int uncounted) {
  if (uncounted != m_uncounted)
    m_iteration->setState(1, 0);
  m_uncounted = uncounted;
  m_access = -1;
  m_isAtCursor = bulkCopy() && chosenBulkCopy(false) == uncounted;
  m_picture.reset();
  updateScrubbers();
  showRow();
  updateHeader();
  drawRequest();
}

/// Where the grid has more than one dimension, else the number says all.
static QString coordinates(const std::array<int32_t, 3> &program,
                           const std::array<int32_t, 3> &grid) {
  return grid[1] > 1 || grid[2] > 1 ? programText(program, grid) : QString();
}

void AccessView::updateScrubbers() {
  const compiler::RecordedAccess *shown = recorded();
  m_warp->setState(m_picture ? static_cast<qint64>(m_picture->warps().size()) : 1, m_warp->value());
  m_instruction->setState(m_picture ? static_cast<qint64>(m_picture->numInstructions()) : 1,
                          m_instruction->value());
  const bool isTraced = shown && !shown->executions.empty();
  const compiler::RecordedBulkCopy *bulk = bulkCopy();
  m_iteration->setState(isTraced ? static_cast<qint64>(shown->numExecutions)
                        : bulk   ? std::max<qint64>(1, std::ssize(bulk->executions))
                                 : 1,
                        m_iteration->value());
  if (!m_content)
    return;
  const auto &grid = m_content->facts->grid;
  m_program->setState(numPrograms(grid), programNumber(m_content->record.program, grid));
  m_program->setNote(coordinates(m_content->record.program, grid));
}

void AccessView::scrubTo(Scrub scrub) {
  if (!m_content)
    return;
  if (scrub == Scrub::Program) {
    m_program->setNote(coordinates(wish().program, m_content->facts->grid));
    return askForMissing();
  }
  drawRequest();
  if (scrub == Scrub::Iteration && !execution())
    askForMissing();
}

/// Whose numbers they are, where they are those of the launch.
static QString ofWhom(const compiler::MemoryFacts &facts) {
  return facts.programs == 1 ? AccessView::tr("the only program")
                             : AccessView::tr("all %1 programs").arg(facts.programs);
}

void AccessView::setMeasurement(MeasurementPointer measurement) {
  m_measurement = std::move(measurement);
  updateHeader();
}

void AccessView::updateHeader() {
  const AccessFacts *facts = current();
  m_measured->setText(facts && m_measurement
                          ? views::measuredText(*m_measurement, facts->action, m_gridFacts.get())
                          : QString());
  m_measured->setVisible(!m_measured->text().isEmpty());
  if (bulkCopy())
    return updateBulkHeader();
  if (!facts) {
    m_title->setText(m_uncounted < 0 ? QString() : tr("not counted"));
    m_cost->setText({});
    // Why, the picture says.
    m_reason->setText({});
    return;
  }
  QStringList title{text(access::accessTitle(*facts))};
  if (!facts->range.empty())
    title << tr("line %1").arg(facts->range.begin.line + 1);
  if (facts->isInLoop)
    title << tr("in a loop");
  if (!m_isAtCursor)
    title << tr("not at the cursor");
  const compiler::MemoryFacts &all = *shownFacts();
  // Numbers of one program do not stand alone: a narrow window has no room for the end of a title.
  QString cost = views::costText(*facts, all);
  if (all.program)
    cost = tr("Program %1 alone: %2").arg(programText(*all.program, all.grid), cost);
  else
    title << ofWhom(all);
  m_title->setText(title.join(QStringLiteral(" · ")));
  m_cost->setText(cost);
  QString reason = text(access::widthSentence(*facts));
  if (shownFacts()->dependsOnData)
    reason += tr(" Addresses depend on the data of the launch block.");
  if (!m_whyNoGrid.isEmpty())
    reason += u' ' + m_whyNoGrid;
  reason += u' ' + text(access::counterSentence(*facts));
  m_reason->setText(reason);
}

void AccessView::updateList() {
  const QScopedValueRollback following(m_isFollowing, true);
  m_model->setFacts(shownFacts());
  showRow();
}

void AccessView::showRow() {
  const QScopedValueRollback following(m_isFollowing, true);
  const int row =
      m_uncounted >= 0 ? m_model->rowOfUncounted(m_uncounted) : m_model->rowOf(m_access);
  if (row >= 0)
    m_list->setCurrentIndex(m_model->index(row, 0));
  else
    m_list->clearSelection();
}

void AccessView::goToRow(int row) {
  const SourceRange range = m_model->rangeAt(row);
  if (!range.empty())
    Q_EMIT placeRequested(range);
}

QString AccessView::whyEmpty() const {
  if (!m_content)
    return {};
  if (m_uncounted >= 0) {
    const auto &uncounted = m_content->facts->uncounted[static_cast<size_t>(m_uncounted)];
    return tr("%1 is not counted: %2.").arg(text(uncounted.operation), text(uncounted.reason));
  }
  const compiler::RecordedAccess *access = recorded();
  if (!access) {
    const auto &uncounted = m_content->facts->uncounted;
    return uncounted.empty()
               ? isStale() ? tr("The last text that compiled accesses no memory.")
                           : tr("The kernel accesses no memory in this text.")
               : tr("No access of this kernel is counted: %1.").arg(text(uncounted.front().reason));
  }
  if (access->numExecutions == 0)
    return tr("Program %1 does not come here.")
        .arg(programText(m_content->record.program, m_content->facts->grid));
  if (!isShared(current()->action) && !execution())
    return wish() == m_content->wish
               ? tr("The addresses of this execution take too much room to be drawn.")
               : tr("Being looked at…");
  return tr("No lane of warp %1 is on: the mask is false for all of its elements.")
      .arg(request().warp);
}

void AccessView::drawRequest() {
  m_pinned = -1;
  const bool isBulkCopy = bulkCopy() != nullptr;
  m_canvases->setCurrentIndex(isBulkCopy ? 1 : 0);
  setFocusProxy(m_canvases->currentWidget());
  if (isBulkCopy) {
    m_canvas->setContent({});
    return drawBulkCopy();
  }
  RequestCanvas::Content content;
  const RecordedExecution *shown = execution();
  const bool isOfShared = current() && isShared(current()->action);
  const bool isThere = m_picture && (shown || isOfShared) && recorded()->numExecutions > 0;
  if (isThere)
    content.request = m_picture->request(static_cast<size_t>(m_warp->value()),
                                         static_cast<size_t>(m_instruction->value()),
                                         isOfShared ? nullptr : shown);
  content.lineName = [isOfShared, held = m_content](int64_t address) {
    return isOfShared ? tr("%1 B").arg(address) : text(access::addressText(held->record, address));
  };
  m_pass->setState(numPassChoices(content.request), m_pass->value());
  content.pass = m_pass->value() - 1;
  m_canvas->setContent(std::move(content));
  m_canvas->setEmptyText(whyEmpty());
  pointAt(-1);
}

void AccessView::pointAt(int place) {
  const int shown = place < 0 ? m_pinned : place;
  m_canvas->setHighlighted(shown);
  markSource(place);
  if (!recorded() || request().lines.empty())
    return setInfo({}, {m_canvas});
  if (shown >= 0)
    return setInfo(placeText(request(), shown, *recorded(), m_content->record), {m_canvas});
  const int pass = m_canvas->content().pass;
  setInfo(pass < 0 ? requestText(request()) : passText(request(), pass), {m_canvas});
}

/// All views mark what belongs to the access while one of its elements is pointed at.
void AccessView::markSource(int place) {
  const AccessFacts *facts = current();
  m_mark.show(place >= 0 && facts ? facts->range : SourceRange());
}

QString AccessView::titleText() const { return m_title->text(); }
QString AccessView::costText() const { return m_cost->text(); }
QString AccessView::measuredText() const { return m_measured->text(); }
QString AccessView::reasonText() const { return m_reason->text(); }

Scrubber &AccessView::scrubber(Scrub scrub) const {
  switch (scrub) {
  case Scrub::Warp:
    return *m_warp;
  case Scrub::Instruction:
    return *m_instruction;
  case Scrub::Iteration:
    return *m_iteration;
  case Scrub::Pass:
    return *m_pass;
  case Scrub::Program:
    break;
  }
  return *m_program;
}

void AccessView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    for (PictureCanvas *canvas : std::initializer_list<PictureCanvas *>{m_canvas, m_bulkCanvas})
      canvas->viewport()->update();
}

} // namespace tilescope::views
