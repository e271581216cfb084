// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/conversion/ConversionView.h"

#include "compiler/access/picture/ConversionWords.h"
#include "compiler/artifacts/Interpretation.h"
#include "views/common/ElidedLabel.h"
#include "views/layout/LayoutContent.h"
#include "views/layout/conversion/ArrowLayer.h"
#include "views/layout/conversion/ConversionChoice.h"
#include "views/layout/conversion/ConversionText.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QTableView>

namespace tilescope::views {

namespace access = compiler::access;
using compiler::ConversionCells;
using compiler::ConversionFacts;
using compiler::ConversionPicture;
using compiler::ConversionSide;
using compiler::MoveScope;

/// Cells with an outline.
static constexpr size_t kMostOutlines = 64;

ConversionView::~ConversionView() = default;

static QString text(const std::string &value) { return QString::fromStdString(value); }

void ConversionView::setContent(ConversionsPointer content) {
  const bool isSame = m_content && m_content->conversions.size() == content->conversions.size();
  m_content = std::move(content);
  showContent();
  setStaleNote({});
  updateList();
  if (m_content->conversions.empty()) {
    clear(tr("No conversions between layouts: all operations of this kernel agree on them."));
    return;
  }
  const int meant = chooseConversion(m_content->conversions, m_focus->selected(), m_conversion);
  const bool stays = isSame && m_conversion >= 0 && (!m_isAtCursor || meant < 0);
  showConversion(stays ? m_conversion : meant);
}

void ConversionView::clear(const QString &why, bool offersBlock) {
  m_content.reset();
  m_picture.reset();
  m_conversion = -1;
  m_shown = m_pinned = {};
  m_model->setFacts(nullptr);
  m_before->setContent({});
  m_behind->setContent({});
  m_arrows->setRuns({});
  markSource(false);
  showNothing(why, offersBlock);
}

const ConversionFacts *ConversionView::current() const {
  return m_conversion < 0 ? nullptr : &m_content->conversions[static_cast<size_t>(m_conversion)];
}

ConversionCells ConversionView::cells() const {
  return static_cast<ConversionCells>(m_cells->currentData().toInt());
}

MoveScope ConversionView::scope() const {
  return static_cast<MoveScope>(m_scope->currentData().toInt());
}

compiler::Family ConversionView::family() const {
  return static_cast<compiler::Family>(m_coloring->currentData().toInt());
}

void ConversionView::follow() {
  if (!m_content || m_focus->selected().isNew)
    return;
  const int meant = chooseConversion(m_content->conversions, m_focus->selected(), m_conversion);
  if (meant == m_conversion && m_isAtCursor)
    return;
  m_isAtCursor = meant >= 0;
  if (meant >= 0 && meant != m_conversion)
    showConversion(meant);
  else
    updateHeader();
}

/// Whether the picture shows this conversion.
static bool isOf(const ConversionPicture &picture, const ConversionFacts &facts) {
  return picture.before.facts == access::layoutBefore(facts) &&
         picture.behind.facts == access::layoutBehind(facts);
}

void ConversionView::showConversion(int conversion) {
  const auto &conversions = m_content->conversions;
  if (conversion < 0)
    conversion = static_cast<int>(access::dearestFirst(conversions).front());
  m_conversion = conversion;
  m_isAtCursor = chooseConversion(conversions, m_focus->selected(), conversion) == conversion;
  // Slices of more dimensions have no picture of elements.
  const bool isFlat = current()->shape.size() <= 2;
  if (!isFlat)
    m_cells->setCurrentIndex(m_cells->findData(static_cast<int>(ConversionCells::Places)));
  m_cells->setEnabled(isFlat);
  showRow();
  // What did not change keeps what the user pinned.
  if (m_picture && isOf(*m_picture, *current()))
    updateHeader();
  else
    rebuild();
}

/// Ground, grid and words of one side.
static DiagramContent contentOf(const std::shared_ptr<const ConversionPicture> &picture,
                                ConversionSide side) {
  const auto contentOn = [&](ConversionSide of) {
    const LayoutPicturePointer layout(picture, &picture->layout(of));
    return picture->cells == ConversionCells::Places ? hardwareContent(layout)
                                                     : tensorContent(layout);
  };
  DiagramContent content = contentOn(side);
  content.members = picture->membersOf(side);
  if (picture->cells == ConversionCells::Places)
    content.palette = contentOn(ConversionSide::Before).palette;
  return content;
}

void ConversionView::rebuild() {
  const ConversionFacts *facts = current();
  if (!facts)
    return;
  auto made = std::make_shared<ConversionPicture>(compiler::makeConversionPicture(
      access::layoutBefore(*facts), access::layoutBehind(*facts), {cells(), family(), {}}));
  m_picture = made;
  const bool isDrawn = !made->map.isEmpty();
  m_before->setContent(isDrawn ? contentOf(m_picture, ConversionSide::Before) : DiagramContent());
  m_behind->setContent(isDrawn ? contentOf(m_picture, ConversionSide::Behind) : DiagramContent());
  updateHeader();
  // One lane shows what an arrow is before anything is pointed at.
  m_pinned = isDrawn ? Spot{ConversionSide::Behind, 0} : Spot{};
  pointAt({});
}

/// Who executes it so often: the only program that was counted, as others may do so more or less often,
/// or any of them.
static QString countedProgram(const compiler::MemoryFacts &facts) {
  const std::array<int64_t, 3> grid{facts.grid[0], facts.grid[1], facts.grid[2]};
  const bool isOneOfMany = facts.program && grid[0] * grid[1] * grid[2] > 1;
  return isOneOfMany ? text(compiler::programText(*facts.program, grid))
                     : ConversionView::tr("a program");
}

void ConversionView::updateHeader() {
  const ConversionFacts *facts = current();
  if (!facts)
    return;
  QStringList title;
  if (!facts->range.empty())
    title << tr("line %1").arg(facts->range.begin.line + 1);
  title << text(access::conversionTitle(*facts));
  if (facts->isInLoop)
    title << tr("in a loop");
  if (const QString times = timesText(*facts, *m_content); !times.isEmpty())
    title << tr("%1 executes it %2").arg(countedProgram(*m_content), times);
  if (!m_isAtCursor)
    title << tr("not at the cursor");
  m_title->setText(title.join(QStringLiteral(" · ")));
  QString cost = text(access::conversionCost(*facts));
  if (m_picture)
    cost += QStringLiteral(" · ") + text(access::movesSentence(m_picture->map.counts()));
  m_cost->setText(cost);
  m_reason->setText(text(access::originSentence(*facts) + " " + access::removalSentence(*facts)));
  m_beforeName->setText(tr("before: %1").arg(text(facts->from)));
  const QString behind = tr("after: %1").arg(text(facts->to));
  m_behindName->setText(cells() == ConversionCells::Places
                            ? tr("%1 · in the colors of where elements come from").arg(behind)
                            : behind);
}

void ConversionView::updateList() {
  const QScopedValueRollback following(m_isFollowing, true);
  m_model->setFacts(m_content);
  // What a list of one says is above the picture, which needs the room.
  m_list->setVisible(m_content->conversions.size() > 1);
  showRow();
}

void ConversionView::showRow() {
  const QScopedValueRollback following(m_isFollowing, true);
  if (const int row = m_model->rowOf(m_conversion); row >= 0)
    m_list->setCurrentIndex(m_model->index(row, 0));
  else
    m_list->clearSelection();
}

void ConversionView::goToRow(int row) {
  const int conversion = m_model->conversionAt(row);
  if (conversion < 0)
    return;
  const SourceRange &range = m_content->conversions[static_cast<size_t>(conversion)].range;
  if (!range.empty())
    Q_EMIT placeShown(range);
}

void ConversionView::pin(const Spot &spot) {
  // Pinning the pinned one again lets go of it.
  m_pinned = spot == m_pinned ? Spot{} : spot;
  pointAt(spot);
}

void ConversionView::pointAt(const Spot &spot) {
  if (!m_picture || m_picture->map.isEmpty())
    return;
  m_shown = spot.cell < 0 ? m_pinned : spot;
  markSource(spot.cell >= 0);
  if (m_shown.cell < 0) {
    m_before->setHighlighted({});
    m_behind->setHighlighted({});
    m_arrows->setRuns({});
    return setInfo(text(access::movesSentence(m_picture->map.counts())), {m_before, m_behind});
  }
  const std::vector<compiler::Move> moves = m_picture->movesAt(m_shown.side, m_shown.cell, scope());
  // Outlines of many cells would hide them; arrows show where they are.
  const bool isFew = moves.size() <= kMostOutlines;
  for (const ConversionSide side : {ConversionSide::Before, ConversionSide::Behind}) {
    std::vector<int64_t> cells;
    // The one that is pointed at stands out.
    if (side == m_shown.side)
      cells.push_back(m_shown.cell);
    for (const compiler::Move &move : moves)
      if (const auto cell = m_picture->cellOf(side, move);
          isFew && cell && (side != m_shown.side || *cell != m_shown.cell))
        cells.push_back(*cell);
    canvas(side).setHighlighted(std::move(cells));
  }
  m_arrows->setRuns(m_picture->runsOf(moves));
  setInfo(movesText(*m_picture, moves, m_shown.side, scope()), {m_before, m_behind});
}

/// All views mark what belongs to the conversion while something of it is pointed at.
void ConversionView::markSource(bool isMarked) {
  const ConversionFacts *facts = current();
  m_mark.show(isMarked && facts ? facts->range : SourceRange());
}

QString ConversionView::titleText() const { return m_title->text(); }
QString ConversionView::costText() const { return m_cost->text(); }
QString ConversionView::reasonText() const { return m_reason->text(); }

/// The next entry of a list, around its end.
static void stepThrough(QComboBox *box) {
  if (box->isEnabled())
    box->setCurrentIndex((box->currentIndex() + 1) % box->count());
}

void ConversionView::keyPressEvent(QKeyEvent *event) {
  if (event->modifiers() != Qt::NoModifier || !m_content)
    return QWidget::keyPressEvent(event);
  switch (event->key()) {
  case Qt::Key_L:
    return stepThrough(m_scope);
  case Qt::Key_V:
    return stepThrough(m_cells);
  case Qt::Key_C:
    return stepThrough(m_coloring);
  default:
    QWidget::keyPressEvent(event);
  }
}

void ConversionView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_arrows)
    rebuild();
}

} // namespace tilescope::views
