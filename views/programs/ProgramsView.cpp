// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/programs/ProgramsView.h"

#include "compiler/access/arrays/TouchWords.h"
#include "views/common/ElidedLabel.h"
#include "views/common/Scrubber.h"
#include "views/programs/ProgramsText.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using access::ProgramRange;
using Scrub = ArrayCanvas::Scrub;

ProgramsView::~ProgramsView() = default;

static QString text(const std::string &value) { return QString::fromStdString(value); }

void ProgramsView::setPart(TouchedArraysPointer part, bool isOther) {
  m_part = std::move(part);
  if (isOther) {
    m_grid.reset();
    m_whyNoGrid.clear();
  }
  showContent();
  setStaleNote({});
  const uint64_t count = access::numPrograms(m_part->trace().grid);
  showProgram(std::min(m_program, count - 1));
}

void ProgramsView::setGrid(TouchedArraysPointer grid, const QString &why) {
  m_grid = std::move(grid);
  m_whyNoGrid = why;
  if (m_grid)
    showContent();
  refresh();
}

void ProgramsView::clear(const QString &why, bool offersBlock) {
  play(false);
  m_maker.cancel();
  m_part.reset();
  m_grid.reset();
  m_counts.reset();
  m_counted = {};
  m_program = 0;
  m_step = 0;
  m_slices.clear();
  m_canvas->setContent({});
  showNothing(why, offersBlock);
}

uint64_t ProgramsView::atOnce() const { return static_cast<uint64_t>(m_atOnce->value()); }

ProgramsView::Overlay ProgramsView::overlay() const {
  return static_cast<Overlay>(m_overlay->currentIndex());
}

void ProgramsView::setOverlay(Overlay overlay) {
  m_overlay->setCurrentIndex(static_cast<int>(overlay));
}

compiler::ProgramSample ProgramsView::wish() const {
  if (overlay() != Overlay::Wave || !any())
    return {m_program, 1, 1};
  const ProgramRange wave = access::waveAt(m_program / atOnce(), any()->trace().grid, atOnce());
  return {wave.first, wave.count(), 1};
}

TouchedArraysPointer ProgramsView::suitable() const {
  const compiler::ProgramSample wanted = wish();
  for (const TouchedArraysPointer &arrays : {m_grid, m_part})
    if (arrays && arrays->hasAll({wanted.first, wanted.first + wanted.count}))
      return arrays;
  return nullptr;
}

void ProgramsView::showProgram(uint64_t program) {
  m_program = program;
  refresh();
}

void ProgramsView::refresh() {
  const TouchedArraysPointer arrays = suitable();
  if (!arrays) {
    updateScrubbers();
    if (hasContent())
      Q_EMIT wishChanged(wish());
    return;
  }
  m_step = std::min(m_step, arrays->numSteps(m_program) - 1);
  m_slices.resize(arrays->numArrays());
  for (size_t array = 0; array < m_slices.size(); ++array) {
    // The slice that the program works in.
    const auto boxes = arrays->boxes(array, m_program, {m_step, m_step + 1});
    const auto all = boxes.empty() ? arrays->boxes(array, m_program, {}) : boxes;
    const auto isShown = [&](const access::TouchedBox &touched) {
      const access::ElementBox &box = touched.box;
      return box.contains(m_slices[array], box.first[1], box.first[2]);
    };
    if (!all.empty() && std::ranges::none_of(all, isShown))
      m_slices[array] = all.front().box.first[0];
    m_slices[array] = std::min(m_slices[array], arrays->shape(array).slices - 1);
  }
  ArrayCanvas::Content content{arrays, m_program, m_step, m_slices, nullptr, {}};
  content.isAtCursor.resize(arrays->numArrays());
  m_canvas->setContent(std::move(content));
  makeOverlay();
  follow();
  updateScrubbers();
  updateHeader();
}

/// Counts stay in sight until newer ones are there.
void ProgramsView::makeOverlay() {
  ArrayCanvas::Content content = m_canvas->content();
  OverlayMaker::Request request;
  const access::Grid &grid = content.arrays->trace().grid;
  if (overlay() == Overlay::Programs && m_grid)
    request = {m_grid, {0, access::numPrograms(grid)}};
  else if (overlay() == Overlay::Wave)
    request = {content.arrays, access::waveAt(m_program / atOnce(), grid, atOnce()), atOnce()};
  else if (overlay() == Overlay::Reuse && m_grid && m_grid->hasAll({0, access::numPrograms(grid)}))
    request = {m_grid, {}, atOnce(), static_cast<uint64_t>(m_cache->value()) << 20};
  if (request != m_counted) {
    const bool isAlike = (request.atOnce == 0) == (m_counted.atOnce == 0) &&
                         (request.cacheBytes == 0) == (m_counted.cacheBytes == 0);
    m_counted = request;
    if (!request.arrays || !isAlike)
      m_counts.reset();
    if (request.arrays)
      m_maker.make(request);
    else
      m_maker.cancel();
  }
  const bool fits = m_counts && m_counts->counts.size() == content.arrays->numArrays();
  content.overlay = fits ? m_counts : nullptr;
  m_canvas->setContent(std::move(content));
}

void ProgramsView::takeOverlay(const ArrayOverlayPointer &counts) {
  m_counts = counts;
  if (!content().arrays)
    return;
  makeOverlay();
  updateHeader();
}

void ProgramsView::updateScrubbers() {
  const TouchedArraysPointer arrays = any();
  if (!arrays)
    return;
  const access::Grid &grid = arrays->trace().grid;
  const access::Grid at = access::programAt(m_program, grid);
  m_x->setState(grid[0], at[0]);
  m_y->setState(grid[1], at[1]);
  m_z->setState(grid[2], at[2]);
  const bool isThere = content().arrays && content().program == m_program;
  // Until the program is there, keys count from what is shown.
  if (isThere)
    m_iteration->setState(content().arrays->numSteps(m_program), m_step);
  const size_t current = m_canvas->current();
  const bool hasSlices = isThere && current < content().arrays->numArrays();
  m_slice->setState(hasSlices ? content().arrays->shape(current).slices : 1,
                    hasSlices ? m_slices[current] : 0);
  const bool isReuse = overlay() == Overlay::Reuse;
  const bool isWave = overlay() == Overlay::Wave || isReuse;
  m_wave->setState(isWave ? static_cast<qint64>(access::numWaves(grid, atOnce())) : 1,
                   static_cast<qint64>(m_program / atOnce()));
  m_device->setVisible(isWave);
  m_memory->setVisible(isReuse);
}

static QString sampleText(const TouchedArraysPointer &grid, const ArrayOverlay &overlay) {
  const uint64_t every = grid->trace().programs.stride * overlay.counts.front().sampledEvery();
  QString said;
  if (every > 1)
    said = ProgramsView::tr("Counted of every %1th program: the grid has %2. ")
               .arg(every)
               .arg(access::numPrograms(grid->trace().grid));
  if (std::ranges::any_of(overlay.counts, [](const access::TouchCounts &counts) {
        return counts.cells().isCoarse();
      }))
    said += ProgramsView::tr("Neighboring elements are counted together. ");
  return said;
}

/// What the numbers over the arrays say.
QString ProgramsView::overlayText() const {
  const ArrayOverlayPointer &counts = content().overlay;
  if (!counts && (overlay() == Overlay::Programs || overlay() == Overlay::Reuse)) {
    const bool isSample = m_grid && m_grid->trace().programs.stride > 1;
    return !m_whyNoGrid.isEmpty() ? m_whyNoGrid
           : isSample ? tr("The grid is too large for its waves to be followed one after another.")
                      : tr("The programs are being counted…");
  }
  switch (overlay()) {
  case Overlay::None:
    return {};
  case Overlay::Programs:
    return counts->counts.empty() || !m_grid
               ? QString()
               : sampleText(m_grid, *counts) +
                     tr("The numbers are of programs that touch an element.");
  case Overlay::Reuse:
    return tr("%1, each wave one after another.").arg(text(access::reuseText(*counts->reuse)));
  case Overlay::Wave:
    break;
  }
  if (!counts || !counts->wave)
    return tr("The programs of the wave are being counted…");
  QString said = tr("Wave %1: programs %2 to %3. ")
                     .arg(m_program / atOnce())
                     .arg(counts->programs.first)
                     .arg(counts->programs.last - 1) +
                 text(access::waveText(*counts->wave)) + u'.';
  if (counts->waves)
    said += u' ' + text(access::wavesText(*counts->waves)) + u'.';
  return said;
}

void ProgramsView::updateHeader() {
  if (!content().arrays)
    return;
  m_title->setText(programText(content()));
  QString order = overlayText();
  if (content().arrays->trace().dependsOnData)
    order += tr(" What is touched depends on the data of the launch block.");
  if (content().arrays->trace().isCut)
    order += tr(" The program touches more pieces than are drawn.");
  m_order->setText(order.trimmed());
  m_order->setVisible(!order.trimmed().isEmpty());
  point(std::nullopt);
}

void ProgramsView::scrubTo(Scrub scrub) {
  if (!any())
    return;
  const access::Grid &grid = any()->trace().grid;
  switch (scrub) {
  case Scrub::Iteration:
    m_step = static_cast<uint32_t>(m_iteration->value());
    return refresh();
  case Scrub::Slice:
    if (m_canvas->current() < m_slices.size()) {
      m_slices[m_canvas->current()] = m_slice->value();
      ArrayCanvas::Content shown = content();
      shown.slices = m_slices;
      m_canvas->setContent(std::move(shown));
    }
    return;
  case Scrub::Wave:
    return showProgram(static_cast<uint64_t>(m_wave->value()) * atOnce());
  default:
    return showProgram(access::programNumber({m_x->value(), m_y->value(), m_z->value()}, grid));
  }
}

void ProgramsView::stepBy(Scrub scrub, int by) {
  if (!any())
    return;
  if (scrub != Scrub::Program)
    return scrubber(scrub).step(by);
  const auto count = static_cast<int64_t>(access::numPrograms(any()->trace().grid));
  showProgram(static_cast<uint64_t>(
      std::clamp<int64_t>(static_cast<int64_t>(m_program) + by, 0, count - 1)));
}

Scrubber &ProgramsView::scrubber(Scrub scrub) const {
  switch (scrub) {
  case Scrub::Y:
    return *m_y;
  case Scrub::Z:
    return *m_z;
  case Scrub::Iteration:
    return *m_iteration;
  case Scrub::Slice:
    return *m_slice;
  case Scrub::Wave:
    return *m_wave;
  case Scrub::Program:
  case Scrub::X:
    break;
  }
  return *m_x;
}

/// Names the arrays that the cursor's line accesses.
void ProgramsView::follow() {
  if (!content().arrays)
    return;
  ArrayCanvas::Content shown = content();
  const access::TouchedArrays &arrays = *shown.arrays;
  const std::vector<uint32_t> meant = accessesAt(arrays.trace(), m_focus->selected());
  std::vector<bool> isAtCursor(arrays.numArrays());
  for (size_t array = 0; array < arrays.numArrays(); ++array)
    isAtCursor[array] =
        std::ranges::find_first_of(arrays.accesses(array), meant) != arrays.accesses(array).end();
  if (isAtCursor == shown.isAtCursor)
    return;
  shown.isAtCursor = isAtCursor;
  m_canvas->setContent(std::move(shown));
  if (const auto first = std::ranges::find(isAtCursor, true); first != isAtCursor.end())
    m_canvas->setCurrent(static_cast<size_t>(first - isAtCursor.begin()));
  updateScrubbers();
}

void ProgramsView::point(const std::optional<ArrayPlace> &place) {
  SourceRange range;
  if (place) {
    if (const int access = accessTo(content(), *place); access >= 0)
      range = content().arrays->access(static_cast<uint32_t>(access)).range;
    updateScrubbers();
  }
  m_mark.show(range);
  describe(place ? placeText(content(), *place) : QString());
}

void ProgramsView::choose(const ArrayPlace &place) {
  const int access = accessTo(content(), place);
  if (access < 0)
    return;
  const SourceRange &range = content().arrays->access(static_cast<uint32_t>(access)).range;
  if (!range.empty())
    Q_EMIT placeShown(range);
}

void ProgramsView::describe(const QString &place) {
  if (!place.isEmpty())
    return setInfo(place, {m_canvas});
  setInfo(tr("Point at an element to see who touches it."), {});
  // Those who do not see the picture are told what stands in it.
  m_canvas->setAccessibleDescription(m_canvas->captions());
}

void ProgramsView::play(bool isOn) {
  constexpr int kStepMs = 250;
  if (isOn)
    m_play.start(kStepMs);
  else
    m_play.stop();
  m_playButton->setChecked(isOn);
}

/// The next iteration, or the first of the next program; waves one after another.
void ProgramsView::playOn() {
  if (!content().arrays || content().program != m_program)
    return;
  const access::Grid &grid = content().arrays->trace().grid;
  if (overlay() == Overlay::Wave) {
    const uint64_t next = (m_program / atOnce() + 1) % access::numWaves(grid, atOnce());
    return showProgram(next * atOnce());
  }
  if (m_step + 1 < content().arrays->numSteps(m_program)) {
    ++m_step;
    return refresh();
  }
  m_step = 0;
  showProgram((m_program + 1) % access::numPrograms(grid));
}

QString ProgramsView::titleText() const { return m_title->text(); }
QString ProgramsView::orderText() const { return m_order->text(); }

void ProgramsView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    m_canvas->update();
}

void ProgramsView::hideEvent(QHideEvent *event) {
  QWidget::hideEvent(event);
  play(false);
}

} // namespace tilescope::views
