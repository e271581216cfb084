// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/profile/ProfilePaint.h"

#include "views/common/Heat.h"
#include "views/common/PictureCanvas.h"
#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

using profiler::BarPicture;
using profiler::MemoryPicture;
using profiler::RooflinePicture;
using profiler::TimePicture;

static constexpr int kFontPx = 12;

QFont profileFont() {
  QFont font = uiFont();
  font.setPixelSize(kFontPx);
  return font;
}

namespace {
/// Draws in the lengths of a page.
class Painting {
public:
  Painting(QPainter &painter, bool isOutdated)
      : m_painter(painter), m_isOutdated(isOutdated), m_metrics(profileFont()) {}
  void section(const ProfileSection &section, const ProfilePage &page, size_t index);

private:
  void picture(const TimePicture &picture);
  void picture(const BarPicture &picture);
  void picture(const MemoryPicture &picture);
  void picture(const RooflinePicture &picture);
  void picture(std::monostate) {}
  void box(const MemoryPicture::Box &box);
  void arrow(const MemoryPicture::Arrow &arrow);
  void grid(const RooflinePicture &picture);
  void line(const RooflinePicture &picture, const RooflinePicture::Line &line);
  void row(const ProfileRow &row, const QRectF &rect);
  void hotLine(const ProfileRow &row, const QRectF &rect, double hottest);

  /// A color that says something; what is outdated has none.
  QColor vivid(ColorRole role) const { return theme()[m_isOutdated ? ColorRole::TextFaint : role]; }
  void pen(ColorRole role) {
    m_painter.setPen(
        theme()[m_isOutdated && role == ColorRole::Text ? ColorRole::TextMuted : role]);
  }
  /// With its middle, begin or end at `x`, its base line at `y`.
  void words(const std::string &text, double x, double y, Qt::Alignment alignment);
  void words(const QString &text, const QRectF &rect, Qt::Alignment alignment);

  QPainter &m_painter;
  bool m_isOutdated;
  QFontMetricsF m_metrics;
};
} // namespace

void Painting::words(const std::string &text, double x, double y, Qt::Alignment alignment) {
  const QString said = quotedCode(QString::fromStdString(text));
  const double width = m_metrics.horizontalAdvance(said);
  const double left = alignment == Qt::AlignRight     ? x - width
                      : alignment == Qt::AlignHCenter ? x - width / 2
                                                      : x;
  m_painter.drawText(QPointF(left, y), said);
}

void Painting::words(const QString &text, const QRectF &rect, Qt::Alignment alignment) {
  m_painter.drawText(
      rect, alignment | Qt::AlignVCenter | Qt::TextSingleLine,
      QFontMetricsF(m_painter.font()).elidedText(quotedCode(text), Qt::ElideRight, rect.width()));
}

void Painting::picture(const TimePicture &picture) {
  for (const TimePicture::Bin &bin : picture.bins)
    m_painter.fillRect(QRectF(bin.x, picture.baseline - bin.height, bin.width, bin.height),
                       vivid(ColorRole::Accent));
  m_painter.setPen(QPen(theme()[ColorRole::BorderStrong], 1));
  m_painter.drawLine(QPointF(0, picture.baseline), QPointF(picture.width, picture.baseline));
  // The median, with its interval below the bars.
  m_painter.fillRect(QRectF(picture.intervalBeginX, picture.baseline + 1,
                            std::max(2.0, picture.intervalEndX - picture.intervalBeginX), 4),
                     vivid(ColorRole::Warning));
  m_painter.setPen(QPen(vivid(ColorRole::Warning), 1.5, Qt::DashLine));
  m_painter.drawLine(QPointF(picture.medianX, 0), QPointF(picture.medianX, picture.baseline));
  pen(ColorRole::TextMuted);
  words(profiler::microsecondsText(picture.lowUs), 0, picture.baseline + 18, Qt::AlignLeft);
  words(picture.endText(), picture.width, picture.baseline + 18, Qt::AlignRight);
}

void Painting::picture(const BarPicture &picture) {
  double y = 0;
  for (const profiler::BarRow &row : picture.rows) {
    const double length = std::max(1.0, row.length * BarPicture::kBarRoom);
    pen(ColorRole::Text);
    words(row.name, BarPicture::kNameEnd, y + 16, Qt::AlignRight);
    m_painter.fillRect(QRectF(BarPicture::kBarBegin, y + 4, length, BarPicture::kRowHeight - 8),
                       row.isFaint ? theme()[ColorRole::BorderStrong] : vivid(ColorRole::Accent));
    words(row.value, BarPicture::kBarBegin + length + 6, y + 16, Qt::AlignLeft);
    y += BarPicture::kRowHeight;
  }
}

void Painting::box(const MemoryPicture::Box &box) {
  constexpr double kLine = 16;
  m_painter.setPen(QPen(theme()[ColorRole::BorderStrong], 1));
  m_painter.setBrush(theme()[ColorRole::Raised]);
  m_painter.drawRoundedRect(QRectF(box.x, box.y, box.width, box.height), 6, 6);
  m_painter.setBrush(Qt::NoBrush);
  double y = box.y + box.height / 2 + 4 - kLine / 2 * (static_cast<double>(box.lines.size()) - 1);
  for (const std::string &line : box.lines) {
    pen(&line == box.lines.data() ? ColorRole::Text : ColorRole::TextMuted);
    words(line, box.x + box.width / 2, y, Qt::AlignHCenter);
    y += kLine;
  }
}

void Painting::arrow(const MemoryPicture::Arrow &arrow) {
  constexpr double kHead = 9, kBarb = 3;
  const double half = arrow.thickness / 2, direction = arrow.beginX < arrow.endX ? 1 : -1;
  const double neck = arrow.endX - direction * kHead;
  const QPolygonF shape({{arrow.beginX, arrow.y - half},
                         {neck, arrow.y - half},
                         {neck, arrow.y - half - kBarb},
                         {arrow.endX, arrow.y},
                         {neck, arrow.y + half + kBarb},
                         {neck, arrow.y + half},
                         {arrow.beginX, arrow.y + half}});
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(arrow.isNone ? theme()[ColorRole::BorderStrong] : vivid(ColorRole::Accent));
  m_painter.drawPolygon(shape);
  m_painter.setBrush(Qt::NoBrush);
  pen(arrow.isNone ? ColorRole::TextFaint : ColorRole::Text);
  words(arrow.text, (arrow.beginX + arrow.endX) / 2, arrow.y - half - kBarb - 4, Qt::AlignHCenter);
}

void Painting::picture(const MemoryPicture &picture) {
  for (const MemoryPicture::Box &each : picture.boxes)
    box(each);
  for (const MemoryPicture::Arrow &each : picture.arrows)
    arrow(each);
}

void Painting::grid(const RooflinePicture &picture) {
  for (const RooflinePicture::Tick &tick : picture.xTicks) {
    m_painter.setPen(theme()[ColorRole::Border]);
    m_painter.drawLine(QPointF(tick.position, picture.top), QPointF(tick.position, picture.bottom));
    pen(ColorRole::TextMuted);
    words(tick.text, tick.position, picture.bottom + 16, Qt::AlignHCenter);
  }
  for (const RooflinePicture::Tick &tick : picture.yTicks) {
    m_painter.setPen(theme()[ColorRole::Border]);
    m_painter.drawLine(QPointF(picture.left, tick.position), QPointF(picture.right, tick.position));
    pen(ColorRole::TextMuted);
    words(tick.text, picture.left - 6, tick.position + 4, Qt::AlignRight);
  }
  words("operations per byte", (picture.left + picture.right) / 2, picture.height - 12,
        Qt::AlignHCenter);
  m_painter.save();
  m_painter.translate(12, (picture.top + picture.bottom) / 2);
  m_painter.rotate(-90);
  words("TFLOP/s", 0, 0, Qt::AlignHCenter);
  m_painter.restore();
}

void Painting::line(const RooflinePicture &picture, const RooflinePicture::Line &line) {
  m_painter.setPen(QPen(vivid(line.isRoof ? ColorRole::Info : ColorRole::Success), 1.6));
  m_painter.drawLine(QPointF(line.x1, line.y1), QPointF(line.x2, line.y2));
  pen(line.isRoof ? ColorRole::TextMuted : ColorRole::Text);
  if (!line.isRoof)
    return words(line.name, picture.right, line.y1 - 4, Qt::AlignRight);
  // Along the slope, near its beginning.
  constexpr double kShare = 0.06, kDegrees = 180 / 3.14159265358979;
  const double dx = line.x2 - line.x1, dy = line.y2 - line.y1;
  m_painter.save();
  m_painter.translate(line.x1 + kShare * dx, line.y1 + kShare * dy);
  m_painter.rotate(std::atan2(dy, dx) * kDegrees);
  words(line.name, 0, -4, Qt::AlignLeft);
  m_painter.restore();
}

void Painting::picture(const RooflinePicture &picture) {
  grid(picture);
  for (const RooflinePicture::Line &each : picture.lines)
    line(picture, each);
  for (const RooflinePicture::Point &point : picture.points) {
    m_painter.setPen(QPen(theme()[ColorRole::Panel], 1.5));
    m_painter.setBrush(vivid(ColorRole::Warning));
    m_painter.drawEllipse(QPointF(point.x, point.y), 5.5, 5.5);
    m_painter.setBrush(Qt::NoBrush);
    pen(ColorRole::Text);
    words(point.name, point.x, point.nameY, Qt::AlignHCenter);
  }
}

void Painting::row(const ProfileRow &row, const QRectF &rect) {
  constexpr double kMostName = 0.66;
  const double valueWidth =
      std::min(m_metrics.horizontalAdvance(row.value) + 2, rect.width() * kMostName);
  pen(ColorRole::TextMuted);
  words(row.name, rect.adjusted(0, 0, -valueWidth - 10, 0), Qt::AlignLeft);
  pen(row.isMissing ? ColorRole::TextFaint : ColorRole::Text);
  words(row.value, QRectF(rect.right() - valueWidth, rect.top(), valueWidth, rect.height()),
        Qt::AlignRight);
  m_painter.setPen(theme()[ColorRole::Border]);
  m_painter.drawLine(rect.bottomLeft(), rect.bottomRight());
}

/// The share on its heat, the line, and why warps were there.
void Painting::hotLine(const ProfileRow &row, const QRectF &rect, double hottest) {
  constexpr double kShareWidth = 58, kGap = 12, kCodeShare = 0.52;
  const QRectF heat(rect.left(), rect.top() + 1, kShareWidth, rect.height() - 2);
  const QColor fill =
      m_isOutdated ? theme()[ColorRole::Raised] : warmColor(*row.share / std::max(hottest, 1e-9));
  m_painter.fillRect(heat, fill);
  m_painter.setPen(inkOn(fill));
  words(shareText(*row.share), heat.adjusted(0, 0, -6, 0), Qt::AlignRight);
  const double room = rect.width() - kShareWidth - 2 * kGap;
  QFont code = codeFont();
  code.setPixelSize(kFontPx);
  m_painter.save();
  m_painter.setFont(code);
  pen(ColorRole::Text);
  words(row.name, {heat.right() + kGap, rect.top(), room * kCodeShare, rect.height()},
        Qt::AlignLeft);
  m_painter.restore();
  pen(ColorRole::TextMuted);
  words(row.value,
        {heat.right() + 2 * kGap + room * kCodeShare, rect.top(), room * (1 - kCodeShare),
         rect.height()},
        Qt::AlignLeft);
}

void Painting::section(const ProfileSection &section, const ProfilePage &page, size_t index) {
  const ProfilePage::Block &block = page.blocks[index];
  m_painter.save();
  QFont title = profileFont();
  title.setPixelSize(kFontPx + 1);
  title.setBold(true);
  m_painter.setFont(title);
  pen(ColorRole::Text);
  words(profilePartTitle(section.part),
        {block.rect.left(), block.rect.top(), block.rect.width(), ProfilePage::kTitleHeight - 2},
        Qt::AlignLeft);
  m_painter.setFont(profileFont());
  pen(ColorRole::TextMuted);
  QRectF remark(block.rect.left(), block.remarksTop, block.rect.width(), ProfilePage::kLineHeight);
  for (const QString &line : block.remarks) {
    words(line, remark, Qt::AlignLeft);
    remark.translate(0, ProfilePage::kLineHeight);
  }
  m_painter.save();
  m_painter.translate(block.picture.topLeft());
  m_painter.scale(block.pictureScale, block.pictureScale);
  std::visit([this](const auto &each) { picture(each); }, section.picture);
  m_painter.restore();
  double hottest = 0;
  for (const ProfileRow &each : section.rows)
    hottest = std::max(hottest, each.share.value_or(0));
  for (size_t i = 0; i < section.rows.size(); ++i) {
    if (section.rows[i].share)
      hotLine(section.rows[i], page.rowRect(index, i), hottest);
    else
      row(section.rows[i], page.rowRect(index, i));
  }
  m_painter.restore();
}

void paintProfile(QPainter &painter, const std::vector<ProfileSection> &sections,
                  const ProfilePage &page, const QRectF &clip, bool isOutdated) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  Painting painting(painter, isOutdated);
  for (size_t i = 0; i < sections.size(); ++i)
    if (page.blocks[i].rect.intersects(clip))
      painting.section(sections[i], page, i);
  painter.restore();
}

} // namespace tilescope::views
