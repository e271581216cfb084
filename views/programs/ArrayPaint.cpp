// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How an ArrayCanvas looks; what it does is in ArrayCanvas.cpp.
#include "compiler/access/arrays/TouchColors.h"
#include "compiler/access/arrays/TouchWords.h"
#include "compiler/access/picture/AccessWords.h"
#include "compiler/support/BytesText.h"
#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"
#include "views/programs/ArrayCanvas.h"
#include "views/programs/ArrayMarks.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace tilescope::views {

namespace access = compiler::access;
using access::ArrayGrid;
using access::ElementBox;
using access::StepRange;
using access::TouchKind;

static QString text(const std::string &value) { return QString::fromStdString(value); }

static QColor colorOf(uint32_t count, uint32_t most) {
  const compiler::Oklch color = access::countColor(count, most, theme().dark);
  return oklch(color.lightness, color.chroma, color.hue);
}

/// A number as it is drawn: of programs, or bytes.
static QString numberText(const ArrayOverlay &overlay, uint32_t number) {
  return overlay.reuse ? text(bytesText(number * access::kDistanceBytes)) : QString::number(number);
}

void ArrayCanvas::drawTouched(QPainter &painter, size_t array, const ArrayGrid &grid,
                              const StepRange &steps, bool isNow) const {
  const access::TouchedArrays &arrays = *m_content.arrays;
  const int64_t slice = m_content.slices[array];
  std::vector<std::pair<ElementBox, TouchKind>> drawn;
  for (const access::TouchedBox &touched : arrays.boxes(array, m_content.program, steps)) {
    const ElementBox &box = touched.box;
    if (!box.contains(slice, box.first[1], box.first[2]))
      continue;
    const compiler::TouchAccess &by = arrays.access(touched.access);
    for (const TouchKind kind : {TouchKind::Read, TouchKind::Written}) {
      if (kind == TouchKind::Read ? !by.reads : !by.writes)
        continue;
      // Several accesses to the same elements are one mark.
      constexpr size_t kLooksBack = 64;
      const size_t from = drawn.size() > kLooksBack ? drawn.size() - kLooksBack : 0;
      if (std::find(drawn.begin() + static_cast<ptrdiff_t>(from), drawn.end(),
                    std::pair(box, kind)) != drawn.end())
        continue;
      drawn.emplace_back(box, kind);
      for (const QRectF &rect : rectsOf(box, grid))
        drawMark(painter, rect, {kind, isNow, m_content.overlay != nullptr});
    }
  }
}

const QImage &ArrayCanvas::countsImage(size_t array, const ArrayGrid &grid) const {
  CountsImage &kept = m_images[array];
  const int64_t slice = m_content.slices[array];
  const int width = static_cast<int>(grid.rect.width), height = static_cast<int>(grid.rect.height);
  if (kept.overlay == m_content.overlay && kept.slice == slice && kept.window == grid.window &&
      kept.theme == theme().name && kept.image.size() == QSize(width, height))
    return kept.image;
  const access::TouchCounts &counts = m_content.overlay->counts[array];
  const std::vector<uint32_t> picture = counts.picture(slice, grid.window, width, height);
  constexpr uint32_t kMostColors = 4096;
  const uint32_t most = m_content.overlay->most;
  const uint32_t numColors = std::min(most, kMostColors) + 1;
  std::vector<QRgb> colors(numColors, theme()[ColorRole::Raised].rgb());
  const double scale = most <= kMostColors ? 1 : double(kMostColors) / most;
  for (uint32_t i = 1; i < numColors; ++i)
    colors[i] = colorOf(static_cast<uint32_t>(i / scale), most).rgb();
  QImage image(width, height, QImage::Format_RGB32);
  for (int y = 0; y < height; ++y) {
    auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
    const uint32_t *from = picture.data() + static_cast<ptrdiff_t>(y) * width;
    for (int x = 0; x < width; ++x)
      line[x] =
          colors[from[x] == 0 ? 0 : std::max<uint32_t>(1, static_cast<uint32_t>(from[x] * scale))];
  }
  kept = {m_content.overlay, slice, grid.window, theme().name, std::move(image)};
  return kept.image;
}

void ArrayCanvas::drawCounts(QPainter &painter, size_t array, const ArrayGrid &grid) const {
  if (!m_content.overlay)
    return;
  painter.drawImage(QPointF(grid.rect.x, grid.rect.y), countsImage(array, grid));
  drawNumbers(painter, array, grid);
}

/// How many programs, where cells have room for it.
void ArrayCanvas::drawNumbers(QPainter &painter, size_t array, const ArrayGrid &grid) const {
  const access::TouchCounts &counts = m_content.overlay->counts[array];
  const std::vector<int64_t> &rows = counts.cells().edges(1), &columns = counts.cells().edges(2);
  constexpr size_t kMostNumbers = 600, kMostCells = 8000;
  QFont font = uiFont();
  font.setPointSizeF(font.pointSizeF() * 0.8);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  const double across =
      metrics.horizontalAdvance(numberText(*m_content.overlay, counts.most())) + 4;
  if (rows.empty() || rows.size() * columns.size() > kMostCells)
    return;
  size_t numDrawn = 0;
  for (size_t row = 0; row + 1 < rows.size(); ++row)
    for (size_t column = 0; column + 1 < columns.size() && numDrawn < kMostNumbers; ++column) {
      ElementBox cell;
      cell.first = {m_content.slices[array], rows[row], columns[column]};
      cell.count = {1, rows[row + 1] - rows[row], columns[column + 1] - columns[column]};
      const auto rect = grid.box(cell);
      const uint32_t count = counts.at({cell.first[0], cell.first[1], cell.first[2]});
      if (!rect || count == 0 || rect->width < across || rect->height < metrics.height())
        continue;
      ++numDrawn;
      const QColor fill = colorOf(count, m_content.overlay->most);
      painter.setPen(contrastRatio(fill, Qt::white) > contrastRatio(fill, Qt::black) ? Qt::white
                                                                                     : Qt::black);
      painter.drawText(QRectF(rect->x, rect->y, rect->width, rect->height), Qt::AlignCenter,
                       numberText(*m_content.overlay, count));
    }
}

QString ArrayCanvas::captionTitle(size_t array) const {
  const access::TouchedArrays &arrays = *m_content.arrays;
  QString title = text(access::arrayTitle(arrays, array));
  if (arrays.shape(array).slices > 1)
    title += tr(" · slice %1")
                 .arg(text(access::sliceText(arrays.shape(array), m_content.slices[array])));
  if (arrays.shape(array).isFolded())
    title += tr(" · drawn in rows of %1").arg(arrays.shape(array).columns);
  return title;
}

QString ArrayCanvas::captionText(size_t array) const {
  if (const ArrayOverlayPointer &overlay = m_content.overlay)
    return text(overlay->reuse ? access::distanceText(overlay->counts[array])
                               : access::countsText(overlay->counts[array], overlay->kinds[array]));
  return text(access::touchText(*m_content.arrays, array, m_content.program,
                                {m_content.step, m_content.step + 1}));
}

/// A title with as many of its facts as there is room for: of `x_ptr [64, 64] · slice 2` the last
/// to go is the shape.
static QString fittingTitle(QString title, const QFontMetricsF &metrics, double room) {
  for (const QChar before : {u'·', u'['})
    for (qsizetype at = title.lastIndexOf(before);
         at > 0 && metrics.horizontalAdvance(title) > room; at = title.lastIndexOf(before))
      title = title.left(at).trimmed();
  return metrics.elidedText(title, Qt::ElideRight, room);
}

/// `room`: the width up to the next array, and the height of what is above this one.
void ArrayCanvas::drawCaption(QPainter &painter, size_t array, const QRectF &rect,
                              const QSizeF &room) const {
  const bool isAtCursor = m_content.isAtCursor[array];
  QFont font = uiFont();
  font.setBold(isAtCursor);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  const QString title = (isAtCursor ? QStringLiteral("▸ ") : QString()) + captionTitle(array);
  const QString what = captionText(array);
  const auto draw = [&](const QRectF &line, const QString &said, ColorRole role, int flags) {
    painter.setPen(theme()[role]);
    painter.drawText(line, flags, said);
  };
  // Beside the array where there is no room above it.
  const bool isBeside = rect.top() < room.height();
  QRectF line(isBeside ? rect.right() + 8 : rect.left(),
              isBeside ? rect.top() : rect.top() - room.height(),
              isBeside ? room.width() - rect.width() - 8 : room.width(), metrics.height());
  draw(line, fittingTitle(title, metrics, line.width()),
       isAtCursor ? ColorRole::Accent : ColorRole::Text, Qt::AlignLeft | Qt::AlignVCenter);
  font.setBold(false);
  painter.setFont(font);
  line.translate(0, metrics.height());
  // Whole lines of it: as many as there is room for, and one in any case.
  const double height = (isBeside ? rect.bottom() : rect.top()) - line.top();
  const double spacing = QFontMetricsF(font).lineSpacing();
  if (const double lines = std::floor(height / spacing); lines > 1) {
    line.setHeight(lines * spacing);
    return draw(line, what, ColorRole::TextMuted, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap);
  }
  draw(line, QFontMetricsF(font).elidedText(what, Qt::ElideRight, line.width()),
       ColorRole::TextMuted, Qt::AlignLeft | Qt::AlignVCenter);
}

/// On whole pixels, and so large that it is seen.
static QRectF onPixels(const compiler::GridRect &rect) {
  constexpr double kLeastPx = 4;
  return {std::floor(rect.x), std::floor(rect.y), std::max(kLeastPx, std::ceil(rect.width)),
          std::max(kLeastPx, std::ceil(rect.height))};
}

/// What the iteration's masks turn off, and what is touched past the end: both also beyond the
/// array.
void ArrayCanvas::drawOutside(QPainter &painter, size_t array, const ArrayGrid &grid) const {
  const access::TouchedArrays &arrays = *m_content.arrays;
  const StepRange now{m_content.step, m_content.step + 1};
  const auto isInSight = [&](const ElementBox &box) {
    return box.contains(m_content.slices[array], box.first[1], box.first[2]);
  };
  for (const ElementBox &box : maskedBlocks(arrays, array, m_content.program, now))
    if (const auto rect = grid.reached(box); rect && isInSight(box))
      drawMasked(painter, onPixels(*rect));
  for (const ElementBox &box : boxesPastEnd(arrays, array, m_content.program, now))
    if (const auto rect = grid.reached(box); rect && isInSight(box))
      drawPastEnd(painter, onPixels(*rect));
}

void ArrayCanvas::drawArray(QPainter &painter, size_t array, const ArrayGrid &grid) const {
  const QRectF rect(grid.rect.x, grid.rect.y, grid.rect.width, grid.rect.height);
  painter.fillRect(rect, theme()[ColorRole::Raised]);
  painter.save();
  painter.setClipRect(rect.adjusted(0, 0, grid.roomRight, grid.roomBelow), Qt::IntersectClip);
  drawCounts(painter, array, grid);
  drawOutside(painter, array, grid);
  painter.setClipRect(rect, Qt::IntersectClip);
  drawTouched(painter, array, grid, {}, false);
  drawTouched(painter, array, grid, {m_content.step, m_content.step + 1}, true);
  painter.restore();
  painter.setBrush(Qt::NoBrush);
  const bool isCurrent = hasFocus() && array == m_current.array;
  painter.setPen(QPen(theme()[isCurrent ? ColorRole::FocusEdge : ColorRole::BorderStrong], 1));
  painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5));
}

namespace {
/// One entry behind another, as long as there is room.
class Legend {
public:
  Legend(QPainter &painter, const QRectF &area) : m_painter(painter), m_area(area) {
    m_painter.setFont(uiFont());
  }
  template <typename Sample> void add(const QString &text, const Sample &sample) {
    const QFontMetricsF metrics(m_painter.font());
    const double size = std::round(metrics.height() * 0.8);
    const QRectF box(m_x, std::round(m_area.top() + (m_area.height() - size) / 2), size * 1.7,
                     size);
    const double width = metrics.horizontalAdvance(text);
    if (box.right() + 6 + width > m_area.right())
      return;
    sample(box);
    m_painter.setPen(theme()[ColorRole::TextMuted]);
    m_painter.drawText(QRectF(box.right() + 6, m_area.top(), width + 2, m_area.height()),
                       Qt::AlignLeft | Qt::AlignVCenter, text);
    m_x = std::round(box.right() + 6 + width + 18);
  }
  void start() { m_x = std::round(m_area.left()); }

private:
  QPainter &m_painter;
  QRectF m_area;
  double m_x = 0;
};
} // namespace

void ArrayCanvas::drawFoot(QPainter &painter, const QRectF &area) const {
  Legend legend(painter, QRectF(area.left() + 10, area.bottom() - arrayFootHeight(),
                                area.width() - 20, arrayFootHeight()));
  legend.start();
  const bool isOutline = m_content.overlay != nullptr;
  const auto add = [&](const QString &name, TouchKind kind, bool isNow) {
    legend.add(name, [&](const QRectF &box) { drawMark(painter, box, {kind, isNow, isOutline}); });
  };
  const uint32_t numSteps = m_content.arrays->numSteps(m_content.program);
  add(numSteps > 1 ? tr("read in this iteration") : tr("read"), TouchKind::Read, true);
  add(numSteps > 1 ? tr("written in it") : tr("written"), TouchKind::Written, true);
  if (numSteps > 1)
    add(tr("in others"), TouchKind::Read, false);
  if (!m_content.arrays->trace().blocks.empty())
    legend.add(tr("masked"), [&](const QRectF &box) { drawMasked(painter, box); });
  if (m_reachesPastEnd)
    legend.add(tr("past the end"), [&](const QRectF &box) { drawPastEnd(painter, box); });
  if (!m_content.overlay)
    return;
  const uint32_t most = m_content.overlay->most;
  const auto addCount = [&](uint32_t count) {
    legend.add(m_content.overlay->reuse
                   ? tr("%1 between").arg(numberText(*m_content.overlay, count))
               : count == 1 ? tr("1 program")
                            : tr("%1 programs").arg(count),
               [&](const QRectF &box) { painter.fillRect(box, colorOf(count, most)); });
  };
  if (most > 0)
    addCount(1);
  if (most > 1)
    addCount(most);
}

void ArrayCanvas::drawHighlight(QPainter &painter, const Grids &grids) const {
  if (!m_hovered || m_hovered->array >= grids.size() || !isShown(m_hovered->array))
    return;
  QRectF rect = rectOf(*m_hovered);
  if (rect.isEmpty())
    return;
  constexpr double kLeastPx = 7;
  if (rect.width() < kLeastPx)
    rect = QRectF(rect.center().x() - kLeastPx / 2, rect.top(), kLeastPx, rect.height());
  if (rect.height() < kLeastPx)
    rect = QRectF(rect.left(), rect.center().y() - kLeastPx / 2, rect.width(), kLeastPx);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[ColorRole::Panel], 4));
  painter.drawRect(rect);
  painter.setPen(QPen(theme()[ColorRole::FocusEdge], 2));
  painter.drawRect(rect);
}

void ArrayCanvas::draw(QPainter &painter, const QRectF &area, const Grids &grids) const {
  if (!m_content.arrays || grids.empty()) {
    painter.setFont(uiFont());
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(area.adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                     quotedCode(m_emptyText));
    return;
  }
  const int lines = captionLines(area);
  for (size_t array = 0; array < grids.size(); ++array) {
    if (!isShown(array))
      continue;
    const compiler::GridRect &at = grids[array].rect;
    // A caption reaches to the next array, or to the edge.
    double right = area.right() - 4;
    for (size_t other = 0; other < grids.size(); ++other)
      if (isShown(other) && grids[other].rect.x > at.x + 1 &&
          std::abs(grids[other].rect.y - at.y) < 2)
        right = std::min(right, grids[other].rect.x - 8);
    drawCaption(painter, array, QRectF(at.x, at.y, at.width, at.height),
                {right - at.x, arrayCaptionHeight(lines)});
    drawArray(painter, array, grids[array]);
  }
  const auto bottom = [&](const ArrayGrid &grid) {
    const double end = grid.rect.y + grid.rect.height + grid.roomBelow;
    // Words beside a low array end below it.
    const bool isBeside = grid.rect.y < arrayCaptionHeight(lines);
    return isBeside ? std::max(end, grid.rect.y + arrayCaptionHeight(2)) : end;
  };
  if (area.bottom() - std::ranges::max(grids | std::views::transform(bottom)) >= arrayFootHeight())
    drawFoot(painter, area);
}

void ArrayCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[ColorRole::Panel]);
  draw(painter, rect(), m_grids);
  drawHighlight(painter, m_grids);
  if (!hasFocus())
    return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[ColorRole::FocusEdge], 2));
  painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

void ArrayCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, target, gridsFor(target));
}

} // namespace tilescope::views
