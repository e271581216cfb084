// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What an AccessView shows of bulk copies: they are not counted, and their boxes are drawn.
#include "views/access/AccessText.h"
#include "views/access/AccessView.h"
#include "views/access/BulkCanvas.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FocusMatch.h"
#include "views/common/Scrubber.h"

#include <QStackedWidget>

#include <algorithm>
#include <tuple>

namespace tilescope::views {

namespace access = compiler::access;
using compiler::RecordedBulkCopy;

static QString text(const std::string &value) { return QString::fromStdString(value); }

QWidget *AccessView::createCanvases() {
  m_bulkCanvas->setAccessibleName(tr("Rows of the block that a bulk copy moves"));
  m_bulkCanvas->setAccessibleDescription(
      tr("Arrow keys move, Enter pins. T and P show the next iteration and program; with Shift the "
         "one before."));
  m_canvases = new QStackedWidget(this);
  m_canvases->addWidget(m_canvas);
  m_canvases->addWidget(m_bulkCanvas);
  return m_canvases;
}

void AccessView::connectBulkCopies() {
  connect(m_bulkCanvas, &BulkCanvas::scrubRequested, this,
          [this](RequestCanvas::Scrub scrub, int by) { scrubber(scrub).step(by); });
  connect(m_bulkCanvas, &PictureCanvas::placeHovered, this, &AccessView::pointAtChunk);
  connect(m_bulkCanvas, &PictureCanvas::placePinned, this, [this](int place) {
    // Pinning the pinned one again lets go of it.
    m_pinned = place == m_pinned ? -1 : place;
    pointAtChunk(place);
  });
}

const RecordedBulkCopy *AccessView::bulkCopyOf(int uncounted) const {
  return m_content && uncounted >= 0
             ? access::bulkCopyOf(m_content->record, static_cast<size_t>(uncounted))
             : nullptr;
}

int AccessView::chosenBulkCopy(bool orFirst) const {
  const auto &copies = m_content->record.bulkCopies;
  const auto numberOf = [&](int index) {
    return static_cast<int>(copies[static_cast<size_t>(index)].uncounted);
  };
  const auto rangeOf = [&](int index) -> const SourceRange & {
    return m_content->facts->uncounted[static_cast<size_t>(numberOf(index))].range;
  };
  const auto rank = [&](int index) {
    return std::tuple(extentOf(rangeOf(index)), numberOf(index) != m_uncounted);
  };
  const int best = bestAt(m_focus->selected(), copies.size(), rangeOf, rank);
  if (best >= 0)
    return numberOf(best);
  return orFirst && !copies.empty() ? numberOf(0) : -1;
}

const access::BulkPicture *AccessView::bulkPicture() const {
  return bulkCopy() && !m_bulkCanvas->picture().isEmpty() ? &m_bulkCanvas->picture() : nullptr;
}

void AccessView::updateBulkHeader() {
  const RecordedBulkCopy &copy = *bulkCopy();
  const auto &facts = m_content->facts->uncounted[copy.uncounted];
  const auto at = static_cast<size_t>(m_iteration->value());
  const compiler::BulkExecution *execution =
      at < copy.executions.size() ? &copy.executions[at] : nullptr;
  const std::string name = execution ? access::bulkTensorName(*execution, m_content->record) : "";
  const QString what = copy.isStore ? tr("bulk store") : tr("bulk load");
  QStringList title{name.empty()   ? what
                    : copy.isStore ? tr("%1 to %2").arg(what, text(name))
                                   : tr("%1 of %2").arg(what, text(name))};
  if (!facts.range.empty())
    title << tr("line %1").arg(facts.range.begin.line + 1);
  if (copy.numExecutions > 1)
    title << tr("%1 executions").arg(copy.numExecutions);
  if (!m_isAtCursor)
    title << tr("not at the cursor");
  m_title->setText(title.join(QStringLiteral(" · ")));
  m_measured->setVisible(false);
  if (!execution) {
    m_cost->setText({});
    m_reason->setText({});
    return;
  }
  const access::BulkPicture picture(copy, *execution);
  m_cost->setText(text(access::bulkCostText(picture)));
  m_reason->setText(text(access::bulkPlaceText(picture, name)));
}

void AccessView::drawBulkCopy() {
  const RecordedBulkCopy &copy = *bulkCopy();
  const auto at = static_cast<size_t>(m_iteration->value());
  m_bulkCanvas->setEmptyText(
      copy.numExecutions == 0
          ? tr("Program %1 does not come here.")
                .arg(programText(m_content->record.program, m_content->facts->grid))
          : tr("Where this execution finds its block is not known."));
  m_bulkCanvas->setContent(at < copy.executions.size()
                               ? access::BulkPicture(copy, copy.executions[at])
                               : access::BulkPicture());
  updateBulkHeader();
  pointAtChunk(-1);
}

void AccessView::pointAtChunk(int place) {
  const int shown = place < 0 ? m_pinned : place;
  m_bulkCanvas->setHighlighted(shown);
  const RecordedBulkCopy *copy = bulkCopy();
  m_mark.show(place >= 0 && copy ? m_content->facts->uncounted[copy->uncounted].range
                                 : SourceRange());
  const access::BulkPicture *picture = bulkPicture();
  if (!picture)
    return setInfo({}, {m_bulkCanvas});
  if (shown >= 0)
    return setInfo(
        text(access::bulkChunkText(*picture, m_bulkCanvas->chunk(shown), m_content->record)),
        {m_bulkCanvas});
  setInfo(tr("A unit of its own moves these boxes; lanes take no part."), {m_bulkCanvas});
}

} // namespace tilescope::views
