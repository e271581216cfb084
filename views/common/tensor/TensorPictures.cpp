// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/tensor/TensorPictures.h"

#include "views/common/CountedText.h"
#include "views/common/Theme.h"
#include "views/common/tensor/ColoredImage.h"
#include "views/common/tensor/PictureAxes.h"

#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

static constexpr int kMargin = 10;
/// A picture is never lower than this, in lines of text: what holds it scrolls. Labels and some rows
/// are told apart.
static constexpr int kLeastLines = 6;
static constexpr int kSwatch = 10;
/// From the picture to the labels of the colors' scale.
static constexpr int kScaleLeft = 24;
/// Between the picture and the labels of its axes.
static constexpr int kAxisGap = 4;
/// Cells at least this large keep their color when they are marked.
static constexpr double kFramedCell = 6;
/// What a picture of few rows or columns is high or wide at least, in lines of text.
static constexpr double kLeastSide = 5;
/// Of pictures that do not belong to what is shown beside them.
static constexpr double kOutdatedOpacity = 0.4;

QRgb heatColor(double position) {
  const double t = std::clamp(position, 0.0, 1.0);
  // From deep blue over teal to a bright yellow: lightness grows evenly, so it reads without color
  // too.
  return oklch(0.25 + 0.65 * t, 0.07 + 0.08 * t, 290 - 190 * t).rgb();
}

static QSize leastSize(const QWidget &picture) {
  return {0, kLeastLines * picture.fontMetrics().lineSpacing()};
}

HeatMap::HeatMap(QWidget *parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Heat map"));
}

QSize HeatMap::minimumSizeHint() const { return leastSize(*this); }

QRgb HeatMap::pixelColor(int pixel) {
  if (pixel < kNumShades)
    return heatColor(pixel / (kNumShades - 1.0));
  switch (static_cast<PixelKind>(pixel)) {
  case PixelKind::Nan:
    return theme()[ColorRole::Error].rgb();
  case PixelKind::Infinite:
    return theme()[ColorRole::Warning].rgb();
  // Two close greys: a texture that large areas can bear.
  case PixelKind::Unwritten:
    return qRgb(158, 158, 158);
  case PixelKind::UnwrittenOther:
    return qRgb(138, 138, 138);
  case PixelKind::PastEnd:
    break;
  }
  return qRgba(0, 0, 0, 0);
}

QColor HeatMap::markColor() { return oklch(0.64, 0.26, 0); }

const TensorPicture &HeatMap::shown() const {
  return m_showsDifference && !m_digest->difference.image.isNull() ? m_digest->difference
                                                                   : m_digest->picture;
}

void HeatMap::setShowsDifference(bool shown) {
  m_showsDifference = shown;
  m_image = {};
  update();
}

void HeatMap::setTensor(TensorDigestPointer digest) {
  m_digest = std::move(digest);
  m_keyElement = 0;
  m_image = {};
  update();
}

bool HeatMap::hasPicture() const { return m_digest && !m_digest->picture.image.isNull(); }

void HeatMap::drawPicture(QPainter &painter) {
  const QRectF picture = pictureRect();
  const QSize size = (picture.size() * devicePixelRatioF()).toSize();
  if (m_image.size() != size) {
    QList<QRgb> colors;
    for (int pixel = 0; pixel <= static_cast<int>(PixelKind::PastEnd); ++pixel)
      colors << pixelColor(pixel);
    m_image = coloredImage(shown().image, colors, kNumShades, size);
  }
  painter.drawImage(picture, m_image);
}

void HeatMap::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    m_image = {};
}

namespace {
/// One entry of the legend.
struct LegendEntry {
  QString name;
  /// Marks that the picture shows in addition to numbers; nothing: elements that differ.
  std::optional<PixelKind> kind;
};
} // namespace

static QString differingText(const TensorDigest &digest) {
  const QString count = QLocale().toString(static_cast<qlonglong>(digest.numDiffering));
  if (digest.numDiffering == digest.tensor.numElements() && digest.numDiffering > 1)
    return HeatMap::tr("all %1 differ: see Difference").arg(count);
  if (digest.differsMostly())
    return HeatMap::tr("%1 of %2 differ: see Difference")
        .arg(count, QLocale().toString(static_cast<qlonglong>(digest.tensor.numElements())));
  return HeatMap::tr("differs from what is expected");
}

static std::vector<LegendEntry> legendOf(const TensorDigest &digest, bool hasMarks) {
  std::vector<LegendEntry> entries;
  if (hasMarks && !digest.marks.isNull() && digest.numDiffering > 0)
    entries.push_back({differingText(digest), std::nullopt});
  const TensorStatistics &statistics = digest.statistics;
  if (statistics.numUnwritten > 0)
    entries.push_back(
        {digest.isMasked ? HeatMap::tr("left undefined by a mask") : HeatMap::tr("never written"),
         PixelKind::Unwritten});
  if (statistics.numNan > 0)
    entries.push_back({HeatMap::tr("NaN"), PixelKind::Nan});
  if (statistics.numInfinite > 0)
    entries.push_back({HeatMap::tr("infinite"), PixelKind::Infinite});
  return entries;
}

/// Of the labels at the left: none has more digits than the last one, and digits differ in width.
int HeatMap::rowLabelsWidth() const {
  if (!m_digest || m_digest->picture.rows <= 0)
    return 0;
  const TensorPicture &shown = m_digest->picture;
  QString longest = rowLabel(shown.rows - 1, m_digest->tensor.shape, shown.columns);
  for (QChar &digit : longest)
    digit = digit.isDigit() ? u'0' : digit;
  return QFontMetrics(uiFont()).horizontalAdvance(longest) + kAxisGap;
}

/// The values at the ends of the colors' scale; values beyond an end have its color.
static std::pair<QString, QString> scaleLabels(const TensorPicture &shown) {
  const auto label = [](bool isClipped, const QString &sign, double value) {
    return (isClipped ? sign : QString()) + QString::number(value, 'g', 3);
  };
  return {label(shown.isClippedBelow, QStringLiteral("≤ "), shown.low),
          label(shown.isClippedAbove, QStringLiteral("≥ "), shown.high)};
}

/// In the middle of a logarithmic scale: it tells that it is one. Empty: the scale is another one.
static QString middleLabel(const TensorPicture &shown) {
  return shown.isLogarithmic ? QString::number(std::sqrt(shown.low * shown.high), 'g', 2)
                             : QString();
}

/// Of the colors' scale with its labels.
static int scaleWidth(const TensorPicture &shown) {
  const QFontMetrics metrics(uiFont());
  const auto [low, high] = scaleLabels(shown);
  return kScaleLeft + 2 +
         std::max({metrics.horizontalAdvance(low), metrics.horizontalAdvance(high),
                   metrics.horizontalAdvance(middleLabel(shown))});
}

QRectF HeatMap::pictureRect() const {
  const QSizeF size = hasPicture() ? shown().image.size() : QSize();
  const int below =
      m_digest && !legendOf(*m_digest, !m_showsDifference).empty() ? fontMetrics().height() + 8 : 0;
  const QRectF area = QRectF(rect()).adjusted(
      kMargin + rowLabelsWidth(), QFontMetrics(uiFont()).height() + kAxisGap,
      -kMargin - (m_digest ? scaleWidth(shown()) : 0), -kMargin - below);
  // Cells may be oblong: a matrix of few rows still fills the space instead of a thin line.
  const double columns = std::max(1.0, size.width()), rows = std::max(1.0, size.height());
  const double least = kLeastSide * fontMetrics().lineSpacing();
  const double height = std::min(area.height(), std::max(rows * 4 * area.width() / columns, least));
  const double width = std::min(area.width(), std::max(columns * 4 * height / rows, least));
  return {area.topLeft(), QSizeF(std::max(width, 0.0), std::max(height, 0.0))};
}

void HeatMap::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[ColorRole::Panel]);
  if (!hasPicture())
    return;
  // What is outdated, or of the run before the one under way, is seen to be.
  if (!isEnabled())
    painter.setOpacity(kOutdatedOpacity);
  drawPicture(painter);
  drawMarks(painter);
  drawAxes(painter);
  drawScale(painter);
  drawLegend(painter);
  drawKeyElement(painter);
}

/// Large cells get a frame, so that their color stays; small ones the mark's color.
void HeatMap::drawMarks(QPainter &painter) const {
  const QImage &marks = m_digest->marks;
  if (marks.isNull() || m_showsDifference)
    return;
  const QRectF picture = pictureRect();
  const QSizeF cell(picture.width() / marks.width(), picture.height() / marks.height());
  const bool isFramed = std::min(cell.width(), cell.height()) >= kFramedCell;
  // A picture of one color would say nothing: the legend does.
  if (!isFramed && m_digest->differsMostly())
    return;
  if (!isFramed) {
    const QSize size = (picture.size() * devicePixelRatioF()).toSize();
    return painter.drawImage(picture,
                             coloredImage(marks, {qRgba(0, 0, 0, 0), markColor().rgba()}, 1, size));
  }
  painter.setPen(QPen(markColor(), 2));
  painter.setBrush(Qt::NoBrush);
  for (int y = 0; y < marks.height(); ++y)
    for (int x = 0; x < marks.width(); ++x)
      if (marks.constScanLine(y)[x])
        painter.drawRect(QRectF(picture.left() + x * cell.width(),
                                picture.top() + y * cell.height(), cell.width(), cell.height())
                             .adjusted(1, 1, -1, -1));
}

/// Indices of columns above and of rows at the left, each at the middle of its cell.
void HeatMap::drawAxes(QPainter &painter) const {
  painter.setFont(uiFont());
  painter.setPen(theme()[ColorRole::TextMuted]);
  const QFontMetrics metrics = painter.fontMetrics();
  const TensorPicture &shown = m_digest->picture;
  const QRectF picture = pictureRect();
  const double cellWidth = picture.width() / static_cast<double>(shown.columns);
  const double cellHeight = picture.height() / static_cast<double>(shown.rows);
  const int labelWidth = metrics.horizontalAdvance(QString::number(shown.columns - 1));
  for (const int64_t column : axisTicks(shown.columns, picture.width(), labelWidth * 2)) {
    const double middle = picture.left() + (static_cast<double>(column) + 0.5) * cellWidth;
    painter.drawText(QRectF(middle - labelWidth, picture.top() - kAxisGap - metrics.height(),
                            2 * labelWidth, metrics.height()),
                     Qt::AlignCenter, QString::number(column));
  }
  const double labelsWidth = rowLabelsWidth();
  for (const int64_t row : axisTicks(shown.rows, picture.height(), metrics.height() * 1.5)) {
    const double middle = picture.top() + (static_cast<double>(row) + 0.5) * cellHeight;
    painter.drawText(QRectF(picture.left() - labelsWidth, middle - metrics.height() / 2.0,
                            labelsWidth - kAxisGap, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter,
                     rowLabel(row, m_digest->tensor.shape, shown.columns));
  }
}

/// What the colors stand for, at the right.
void HeatMap::drawScale(QPainter &painter) const {
  const QRectF picture = pictureRect();
  const QRectF bar(picture.right() + 10, picture.top(), 10, picture.height());
  // Of a single value there is a single color.
  const bool isConstant = shown().low == shown().high;
  for (int y = 0; y < static_cast<int>(bar.height()); ++y)
    painter.fillRect(QRectF(bar.left(), bar.top() + y, bar.width(), 1),
                     QColor(heatColor(isConstant ? 0.5 : 1 - y / bar.height())));
  painter.setFont(uiFont());
  painter.setPen(theme()[ColorRole::TextMuted]);
  const QRectF labels(picture.right() + kScaleLeft, bar.top(), scaleWidth(shown()), bar.height());
  const auto [low, high] = scaleLabels(shown());
  painter.drawText(labels, Qt::AlignLeft | Qt::AlignTop | Qt::TextDontClip, high);
  if (!isConstant && bar.height() > 2 * painter.fontMetrics().height())
    painter.drawText(labels, Qt::AlignLeft | Qt::AlignBottom | Qt::TextDontClip, low);
  if (bar.height() > 4 * painter.fontMetrics().height())
    painter.drawText(labels, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     middleLabel(shown()));
}

static void drawSwatch(QPainter &painter, const QRectF &swatch, std::optional<PixelKind> kind) {
  if (!kind) {
    painter.setPen(QPen(HeatMap::markColor(), 2));
    painter.setBrush(Qt::NoBrush);
    return painter.drawRect(swatch.adjusted(1, 1, -1, -1));
  }
  painter.fillRect(swatch, QColor(HeatMap::pixelColor(static_cast<int>(*kind))));
  // The chessboard of what was never written.
  if (*kind == PixelKind::Unwritten)
    for (const QPointF at : {swatch.topLeft(), swatch.center()})
      painter.fillRect(QRectF(at, swatch.size() / 2),
                       QColor(HeatMap::pixelColor(static_cast<int>(PixelKind::UnwrittenOther))));
}

void HeatMap::drawLegend(QPainter &painter) const {
  const QRectF picture = pictureRect();
  const QFontMetrics metrics = painter.fontMetrics();
  double x = picture.left();
  const double y = picture.bottom() + 8;
  for (const LegendEntry &entry : legendOf(*m_digest, !m_showsDifference)) {
    drawSwatch(painter, QRectF(x, y, kSwatch, kSwatch), entry.kind);
    x += kSwatch + 4;
    const int width = metrics.horizontalAdvance(entry.name);
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(QRectF(x, y - 3, width + 4, metrics.height()), entry.name);
    x += width + 16;
  }
}

qint64 HeatMap::elementAt(QPointF position) const {
  const QRectF picture = pictureRect();
  if (!hasPicture() || !picture.contains(position))
    return -1;
  const TensorPicture &shown = m_digest->picture;
  const auto row = static_cast<int64_t>((position.y() - picture.top()) / picture.height() *
                                        static_cast<double>(shown.rows));
  const auto column = static_cast<int64_t>((position.x() - picture.left()) / picture.width() *
                                           static_cast<double>(shown.columns));
  const int64_t element = row * shown.columns + column;
  return element < m_digest->tensor.numElements() ? element : -1;
}

void HeatMap::mouseMoveEvent(QMouseEvent *event) {
  Q_EMIT elementHovered(elementAt(event->position()));
}

void HeatMap::mousePressEvent(QMouseEvent *event) {
  if (const qint64 element = elementAt(event->position()); element >= 0)
    Q_EMIT elementClicked(element);
}

void HeatMap::leaveEvent(QEvent *event) {
  QWidget::leaveEvent(event);
  Q_EMIT elementHovered(-1);
}

Histogram::Histogram(QWidget *parent) : QWidget(parent) {}

QSize Histogram::minimumSizeHint() const { return leastSize(*this); }

void Histogram::setStatistics(const TensorStatistics &statistics) {
  m_statistics = statistics;
  update();
}

void Histogram::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[ColorRole::Panel]);
  const int64_t most = m_statistics.bins.empty()
                           ? 0
                           : *std::max_element(m_statistics.bins.begin(), m_statistics.bins.end());
  if (most == 0)
    return;
  QFont font = uiFont();
  font.setPointSizeF(font.pointSizeF() * 0.9);
  painter.setFont(font);
  const int below = painter.fontMetrics().height() + 6;
  const QRectF area = rect().adjusted(kMargin, kMargin, -kMargin, -below);
  const double width = area.width() / static_cast<double>(m_statistics.bins.size());
  for (size_t i = 0; i < m_statistics.bins.size(); ++i) {
    const double height =
        area.height() * static_cast<double>(m_statistics.bins[i]) / static_cast<double>(most);
    painter.fillRect(QRectF(area.left() + static_cast<double>(i) * width, area.bottom() - height,
                            std::max(1.0, width - 1), height),
                     theme()[ColorRole::AccentFill]);
  }
  painter.setPen(theme()[ColorRole::TextFaint]);
  const QRectF axis(area.left(), area.bottom() + 3, area.width(), below);
  painter.drawText(axis, Qt::AlignLeft, QString::number(m_statistics.minimum, 'g', 5));
  painter.drawText(axis, Qt::AlignRight, QString::number(m_statistics.maximum, 'g', 5));
  painter.drawText(axis, Qt::AlignHCenter, tr("most frequent: %1").arg(countedText(most, "value")));
}

} // namespace tilescope::views
