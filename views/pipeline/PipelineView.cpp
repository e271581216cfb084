// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/pipeline/PipelineView.h"

#include "compiler/access/picture/PipelineWords.h"
#include "views/common/ElidedLabel.h"
#include "views/common/Scrubber.h"
#include "views/pipeline/PipelineCanvas.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <tuple>

namespace tilescope::views {

namespace access = compiler::access;
using compiler::LoopEvent;
using compiler::LoopFacts;
using compiler::LoopOperation;

static QString text(const std::string &value) { return QString::fromStdString(value); }

static bool isAlike(const LoopFacts &before, const LoopFacts &now) {
  return before.operations.size() == now.operations.size() &&
         before.numFollowed == now.numFollowed && before.isPipelined() == now.isPipelined();
}

void PipelineView::setContent(LoopsPointer loops) {
  const bool isSame = m_loop >= 0 && loops && static_cast<size_t>(m_loop) < loops->size() &&
                      loops->size() == m_loops->size() &&
                      isAlike(facts(), (*loops)[static_cast<size_t>(m_loop)]);
  const int before = isSame ? m_loop : -1;
  m_loops = std::move(loops);
  showContent();
  setStaleNote({});
  m_canvas->setEmptyText(tr("Nothing is known of what this loop does when."));
  const LoopChoice meant = chooseLoop(*m_loops, m_focus->selected(), before);
  m_isAtCursor = meant.loop >= 0;
  m_operation = meant.operation;
  const int shown = meant.loop >= 0 ? meant.loop : before >= 0 ? before : tellingLoop(*m_loops);
  showLoop(shown, shown == before);
  if (m_loops->empty())
    showNothing(text(access::loopsSentence(*m_loops)), false);
}

void PipelineView::setTrace(std::shared_ptr<const profiler::TraceData> trace) {
  if (m_trace == trace)
    return;
  m_trace = std::move(trace);
  measure();
  pointAt(m_canvas->highlighted());
}

void PipelineView::measure() {
  m_measured = m_trace && m_loops && m_loop >= 0 ? measuredLoop(facts(), *m_trace)
                                                 : std::vector<std::optional<MeasuredOperation>>();
}

QString PipelineView::wordsOf(int event) const {
  const QString words = text(access::eventText(facts(), static_cast<uint32_t>(event)));
  const size_t operation = facts().events[static_cast<size_t>(event)].operation;
  if (operation >= m_measured.size() || !m_measured[operation])
    return words;
  return words + u' ' + measuredWords(*m_measured[operation], *m_trace);
}

void PipelineView::clear(const QString &why, bool offersBlock) {
  m_loops.reset();
  m_loop = m_operation = -1;
  measure();
  m_iterations.clear();
  m_canvas->setLoop(nullptr, -1, 0);
  m_choices->clear();
  showNothing(why, offersBlock);
}

int PipelineView::iteration() const {
  const auto index = static_cast<size_t>(m_scrubber->value());
  return index < m_iterations.size() ? m_iterations[index] : -1;
}

void PipelineView::follow() {
  if (!m_loops || m_focus->selected().isNew)
    return;
  const LoopChoice meant = chooseLoop(*m_loops, m_focus->selected(), m_loop);
  m_isAtCursor = meant.loop >= 0;
  if (m_isAtCursor && meant.loop != m_loop) {
    m_operation = meant.operation;
    return showLoop(meant.loop, false);
  }
  // What was chosen in the picture stays, while the cursor is at its place.
  const int selected = m_canvas->selected();
  const bool stays = selected >= 0 && meant.operation >= 0 &&
                     facts().operationOf(static_cast<size_t>(selected)).range ==
                         facts().operations[static_cast<size_t>(meant.operation)].range;
  if (!stays) {
    m_operation = meant.operation;
    m_canvas->setSelected(eventOf(m_operation));
    pointAt(-1);
  }
  updateHeader();
}

void PipelineView::showLoop(int loop, bool keepsIteration) {
  m_loop = loop;
  measure();
  m_iterations = loop >= 0 ? access::iterationsOf(facts()) : std::vector<int32_t>();
  // The first one whose copies the loop itself has started.
  size_t index = 0;
  if (loop >= 0)
    for (const LoopOperation &operation : facts().operations)
      index = std::max(index, static_cast<size_t>(operation.distance));
  index = m_iterations.empty() ? 0 : std::min(index, m_iterations.size() - 1);
  m_scrubber->setState(static_cast<qint64>(m_iterations.size()),
                       keepsIteration ? m_scrubber->value() : static_cast<qint64>(index));
  fillChoices();
  m_canvas->setLoop(m_loops, m_loop, iteration());
  scrub();
  updateHeader();
}

void PipelineView::fillChoices() {
  const QSignalBlocker blocker(m_choices);
  m_choices->clear();
  if (!m_loops)
    return;
  // What is known of the loop is said below.
  for (const LoopFacts &each : *m_loops) {
    const QString title = text(access::loopTitle(each));
    const QString name = each.range.empty() ? title : title.section(u':', 0, 0);
    const int numAlike = static_cast<int>(std::ranges::count_if(
        m_loops->begin(), m_loops->begin() + m_choices->count(),
        [&](const LoopFacts &before) { return before.range.begin.line == each.range.begin.line; }));
    m_choices->addItem(numAlike == 0 ? name : tr("%1, loop %2").arg(name).arg(numAlike + 1));
    m_choices->setItemData(m_choices->count() - 1, title, Qt::ToolTipRole);
  }
  m_choices->setCurrentIndex(m_loop);
  m_choices->setVisible(m_choices->count() > 0);
}

int PipelineView::eventOf(int operation) const {
  if (operation < 0 || m_loop < 0)
    return -1;
  const SourceRange &range = facts().operations[static_cast<size_t>(operation)].range;
  int best = -1;
  std::tuple<bool, bool, bool> least;
  for (size_t i = 0; i < facts().events.size(); ++i) {
    const LoopEvent &event = facts().events[i];
    const LoopOperation &each = facts().operations[event.operation];
    if (each.range != range)
      continue;
    const std::tuple rank(event.forIteration != iteration(),
                          static_cast<int>(event.operation) != operation,
                          !compiler::isCopy(each.action));
    if (best < 0 || rank < least) {
      best = static_cast<int>(i);
      least = rank;
    }
  }
  return best;
}

void PipelineView::scrub() {
  const int chosen = iteration();
  // Behind a gap the iterations have other numbers.
  m_scrubber->setNote(
      chosen >= 0 && chosen != m_scrubber->value() ? tr("(iteration %1)").arg(chosen) : QString());
  // The bar that the keys are on goes along.
  const bool goesAlong = m_canvas->hasKeyPlace();
  if (goesAlong)
    m_operation =
        static_cast<int>(facts().events[static_cast<size_t>(m_canvas->highlighted())].operation);
  m_canvas->setIteration(chosen);
  const int event = eventOf(m_operation);
  m_canvas->setSelected(event);
  pointAt(goesAlong ? event : -1);
}

void PipelineView::pin(int event) {
  if (event < 0)
    return pointAt(-1);
  m_operation = static_cast<int>(facts().events[static_cast<size_t>(event)].operation);
  m_canvas->setSelected(event);
  const SourceRange &range = facts().operationOf(static_cast<size_t>(event)).range;
  if (!range.empty())
    Q_EMIT placeShown(range);
  // The keys go on from here.
  pointAt(event);
}

void PipelineView::pointAt(int event) {
  m_canvas->setHighlighted(event);
  if (event < 0) {
    m_mark.show({});
    const int selected = m_canvas->selected();
    return setInfo(m_loop < 0 ? QString()
                   : selected >= 0
                       ? wordsOf(selected)
                       : tr("Point at a bar, or press an arrow key, to read what it is."),
                   {m_canvas});
  }
  m_mark.show(facts().operationOf(static_cast<size_t>(event)).range);
  setInfo(wordsOf(event), {m_canvas});
}

void PipelineView::updateHeader() {
  m_title->setText(m_loops && !m_loops->empty() ? text(access::loopsSentence(*m_loops))
                                                : QString());
  if (m_loop < 0) {
    m_loopLabel->setText({});
    m_reason->setText({});
    return;
  }
  QString loop = text(access::loopTitle(facts()));
  if (!m_isAtCursor)
    loop += tr(" · not at the cursor");
  m_loopLabel->setText(loop);
  m_reason->setText(text(access::loopSentence(facts()) + " " + access::followedSentence(facts())));
}

QString PipelineView::titleText() const { return m_title->text(); }
QString PipelineView::loopText() const { return m_loopLabel->text(); }
QString PipelineView::reasonText() const { return m_reason->text(); }

void PipelineView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    m_canvas->viewport()->update();
}

} // namespace tilescope::views
