// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/shared/SharedView.h"

#include "compiler/access/picture/SharedWords.h"
#include "views/common/CountedText.h"
#include "views/common/ElidedLabel.h"
#include "views/common/RequestText.h"
#include "views/common/Scrubber.h"
#include "views/shared/MapCanvas.h"
#include "views/shared/RingCanvas.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using compiler::SharedAccess;
using compiler::SharedBuffer;
using compiler::SharedRing;
using Scrub = RequestCanvas::Scrub;

/// In place of the number of an access.
static constexpr int kRing = -1;

SharedView::~SharedView() = default;

static QString text(const std::string &value) { return QString::fromStdString(value); }

void SharedView::setContent(SharedContentPointer content) {
  BufferChoice before{m_buffer, m_access};
  const bool isAlike = m_content && content->facts.buffers.size() == facts().buffers.size() &&
                       content->facts.accesses.size() == facts().accesses.size();
  // Another target may have other accesses to the same buffers.
  if (isAlike && m_access >= 0) {
    const auto at = static_cast<size_t>(m_access);
    if (facts().accesses[at].facts.operation != content->facts.accesses[at].facts.operation)
      before.access = -1;
  }
  m_content = std::move(content);
  showContent();
  setStaleNote({});
  m_map->setContent(m_content);
  m_buffer = m_access = -1;
  const BufferChoice meant =
      chooseBuffer(facts(), m_focus->selected(), isAlike ? before.buffer : -1);
  m_isAtCursor = meant.buffer >= 0;
  // What the user looks at stays, unless the cursor means another.
  const bool stays =
      isAlike && before.buffer >= 0 && (meant.buffer < 0 || meant.buffer == before.buffer);
  showBuffer(stays               ? before
             : meant.buffer >= 0 ? meant
                                 : BufferChoice{facts().buffers.empty() ? -1 : 0, -1});
  if (facts().buffers.empty())
    showNothing(text(access::sharedSentence(facts())), false);
}

void SharedView::clear(const QString &why, bool offersBlock) {
  m_content.reset();
  m_picture.reset();
  m_buffer = m_access = m_pinned = -1;
  m_drawn = {};
  m_map->setContent(nullptr);
  m_banks->setContent({});
  m_ring->setTable({});
  m_choices->clear();
  showNothing(why, offersBlock);
}

bool SharedView::canExport() const { return m_content && !facts().buffers.empty(); }

const SharedAccess *SharedView::currentAccess() const {
  return m_access < 0 ? nullptr : &facts().accesses[static_cast<size_t>(m_access)];
}

const SharedRing *SharedView::currentRing() const {
  if (!m_content)
    return nullptr;
  const auto found =
      std::ranges::find(facts().rings, static_cast<uint32_t>(m_buffer), &SharedRing::buffer);
  return m_buffer < 0 || found == facts().rings.end() ? nullptr : &*found;
}

void SharedView::follow() {
  if (!m_content || m_focus->selected().isNew)
    return;
  const BufferChoice meant = chooseBuffer(facts(), m_focus->selected(), m_buffer);
  m_isAtCursor = meant.buffer >= 0;
  const bool isOther = meant.buffer != m_buffer || (meant.access >= 0 && meant.access != m_access);
  if (m_isAtCursor && isOther)
    showBuffer(meant);
  else
    updateHeader();
}

void SharedView::showBuffer(const BufferChoice &choice) {
  m_buffer = choice.buffer;
  m_access = choice.access;
  // Without a ring there is nothing else to show than an access.
  if (m_access < 0 && m_buffer >= 0 && !currentRing())
    m_access = tellingAccess(facts(), m_buffer);
  m_map->setSelected(m_buffer);
  fillChoices();
  drawDetail();
  updateHeader();
}

void SharedView::fillChoices() {
  const QSignalBlocker blocker(m_choices);
  m_choices->clear();
  if (m_buffer < 0)
    return;
  if (const SharedRing *ring = currentRing())
    m_choices->addItem(tr("slots by iteration, loop of line %1").arg(ring->range.begin.line + 1),
                       kRing);
  for (size_t i = 0; i < facts().accesses.size(); ++i) {
    const SharedAccess &each = facts().accesses[i];
    if (static_cast<int>(each.buffer) != m_buffer)
      continue;
    QString title = text(access::sharedAccessTitle(each));
    if (!each.facts.range.empty() && each.facts.range.file == 0)
      title = tr("line %1: %2").arg(each.facts.range.begin.line + 1).arg(title);
    m_choices->addItem(title, static_cast<int>(i));
  }
  m_choices->setCurrentIndex(m_choices->findData(m_access));
  m_choices->setEnabled(m_choices->count() > 0);
}

void SharedView::choose(int index) {
  if (index < 0 || !m_content)
    return;
  m_access = m_choices->itemData(index).toInt();
  drawDetail();
  updateHeader();
}

void SharedView::drawDetail() {
  m_pinned = -1;
  m_picture.reset();
  const SharedAccess *shown = currentAccess();
  const SharedRing *ring = shown ? nullptr : currentRing();
  m_ring->setTable(ring ? access::ringTable(facts(), *ring) : RingCanvas::Table());
  m_detail->setCurrentWidget(ring ? static_cast<QWidget *>(m_ring) : m_banks);
  if (shown && shown->isDrawn())
    m_picture = std::make_unique<access::AccessPicture>(
        compiler::RecordedAccess{shown->lanes, {}, 1, {}},
        shown->uncounted.empty() ? shown->facts.action : compiler::MemoryAction::SharedLoad);
  // After an edit the same request stays in sight.
  const BufferChoice now{m_buffer, m_access};
  const bool isOther = std::exchange(m_drawn, now) != now;
  const auto restore = [&](Scrubber *scrubber, size_t count) {
    scrubber->setState(static_cast<qint64>(count), isOther ? 0 : scrubber->value());
  };
  restore(m_warp, m_picture ? m_picture->warps().size() : 1);
  restore(m_instruction, m_picture ? m_picture->numInstructions() : 1);
  if (isOther)
    m_pass->setState(1, 0);
  drawRequest();
}

/// Its places are named after rows of the buffer: no lanes read them.
static bool isOfRows(const SharedAccess &access) {
  return !access.uncounted.empty() || access.facts.action == compiler::MemoryAction::ProductRead;
}

void SharedView::drawRequest() {
  m_pinned = -1;
  const SharedAccess *shown = currentAccess();
  RequestCanvas::Content content;
  content.lineName = [](int64_t address) { return tr("%1 B").arg(address); };
  if (m_picture)
    content.request = m_picture->request(static_cast<size_t>(m_warp->value()),
                                         static_cast<size_t>(m_instruction->value()), nullptr);
  content.hasPasses = shown && shown->uncounted.empty();
  if (shown && isOfRows(*shown))
    content.laneWord = tr("16 bytes of the row named");
  m_pass->setState(content.hasPasses ? numPassChoices(content.request) : 1, m_pass->value());
  content.pass = m_pass->value() - 1;
  m_banks->setEmptyText(!m_content || m_buffer < 0 ? QString()
                        : !shown ? tr("No load or store is known that touches these bytes.")
                        : shown->uncounted.empty()
                            ? tr("There is no picture of this access.")
                            : tr("Not counted: %1.").arg(text(shown->uncounted)));
  m_banks->setContent(std::move(content));
  pointAtPlace(-1);
}

void SharedView::pin(int buffer) {
  if (buffer < 0)
    return;
  showBuffer({buffer, buffer == m_buffer ? m_access : -1});
  const SourceRange &range = facts().buffers[static_cast<size_t>(buffer)].range;
  if (!range.empty())
    Q_EMIT placeShown(range);
  // The keys go on from here.
  pointAtBuffer(buffer);
}

void SharedView::pointAtBuffer(int buffer) {
  m_map->setHighlighted(buffer);
  if (buffer < 0) {
    m_mark.show({});
    return pointAtPlace(-1);
  }
  const auto index = static_cast<size_t>(buffer);
  const SharedBuffer &of = facts().buffers[index];
  m_mark.show(of.range);
  QStringList parts{text(access::bufferTitle(of)), text(access::placeSentence(of))};
  if (const std::string life = access::lifeText(facts(), index); !life.empty())
    parts << tr("needed in %1").arg(text(life));
  if (const std::string sharers = access::sharersSentence(facts(), index); !sharers.empty())
    parts << text(sharers);
  setInfo(parts.join(QStringLiteral(" · ")), {m_map});
}

/// Of an access by rows: where eight rows of the buffer lie.
static QString rowsText(const access::RequestPicture &request, int place) {
  if (place < 0)
    return SharedView::tr("rows %1 to %2 of the buffer: which bytes and banks their pieces of 16 "
                          "bytes are in")
        .arg(request.warp * 8)
        .arg(request.warp * 8 + 7);
  const access::PicturePlace &at = request.places[static_cast<size_t>(place)];
  return SharedView::tr("row %1, element %2 of it · offset %3 B · bank %4")
      .arg(request.warp * 8 + at.firstLane())
      .arg(at.registerNumber)
      .arg(at.address)
      .arg(at.begin / access::kBankBytes);
}

QString SharedView::requestInfo() const {
  const access::RequestPicture &request = m_banks->content().request;
  const int place = m_banks->highlighted();
  const SharedAccess *shown = currentAccess();
  if (!shown || request.lines.empty())
    return {};
  if (isOfRows(*shown))
    return rowsText(request, place);
  if (place >= 0)
    return placeText(request, place, {shown->lanes, {}, 1, {}}, {});
  return m_banks->content().pass < 0 ? requestText(request)
                                     : passText(request, m_banks->content().pass);
}

void SharedView::pointAtPlace(int place) {
  const bool isRing = m_detail->currentWidget() == m_ring;
  const int shown = place < 0 ? m_pinned : place;
  PictureCanvas *canvas = isRing ? static_cast<PictureCanvas *>(m_ring) : m_banks;
  canvas->setHighlighted(shown);
  if (const SharedAccess *access = currentAccess())
    m_mark.show(place >= 0 ? access->facts.range : SourceRange());
  if (!isRing)
    return setInfo(requestInfo(), {canvas});
  const SharedRing *ring = currentRing();
  setInfo(shown >= 0 ? m_ring->cellText(shown)
          : ring     ? tr("which block each slot holds, in the first %1")
                           .arg(countedText(ring->numIterations, "iteration"))
                     : QString(),
          {canvas});
}

void SharedView::setMeasurement(MeasurementPointer measurement) {
  m_measurement = std::move(measurement);
  updateHeader();
}

void SharedView::setLaunchFacts(std::shared_ptr<const compiler::MemoryFacts> facts) {
  m_launchFacts = std::move(facts);
  updateHeader();
}

void SharedView::updateHeader() {
  const SharedAccess *measured = m_content ? currentAccess() : nullptr;
  m_measured->setText(
      measured && m_measurement && measured->uncounted.empty()
          ? views::measuredText(*m_measurement, measured->facts.action, m_launchFacts.get())
          : QString());
  m_measured->setVisible(!m_measured->text().isEmpty());
  if (!m_content)
    return;
  m_title->setText(facts().buffers.empty() ? QString() : text(access::sharedSentence(facts())));
  if (m_buffer < 0) {
    m_bufferLabel->setText({});
    m_reason->setText({});
    return;
  }
  const auto index = static_cast<size_t>(m_buffer);
  const SharedBuffer &of = facts().buffers[index];
  QStringList parts{text(access::bufferTitle(of)), text(access::placeSentence(of))};
  if (const std::string life = access::lifeText(facts(), index); !life.empty())
    parts << text(life);
  if (!m_isAtCursor)
    parts << tr("not at the cursor");
  m_bufferLabel->setText(parts.join(QStringLiteral(" · ")));
  QStringList reasons;
  const SharedAccess *shown = currentAccess();
  if (shown && shown->uncounted.empty())
    reasons << text(access::sharedAccessTitle(*shown)) + u'.'
            << text(access::widthSentence(shown->facts))
            << text(access::counterSentence(shown->facts));
  else if (shown)
    reasons << tr("Not counted: %1. The picture shows how rows are swizzled.")
                   .arg(text(shown->uncounted));
  if (const std::string sharers = access::sharersSentence(facts(), index); !sharers.empty())
    reasons << text(sharers);
  reasons.removeAll(QString());
  m_reason->setText(reasons.join(u' '));
}

QString SharedView::titleText() const { return m_title->text(); }
QString SharedView::bufferText() const { return m_bufferLabel->text(); }
QString SharedView::measuredText() const { return m_measured->text(); }
QString SharedView::reasonText() const { return m_reason->text(); }

Scrubber &SharedView::scrubber(Scrub scrub) const {
  return scrub == Scrub::Warp ? *m_warp : scrub == Scrub::Instruction ? *m_instruction : *m_pass;
}

void SharedView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    for (PictureCanvas *canvas :
         {static_cast<PictureCanvas *>(m_map), static_cast<PictureCanvas *>(m_banks),
          static_cast<PictureCanvas *>(m_ring)})
      canvas->viewport()->update();
}

} // namespace tilescope::views
