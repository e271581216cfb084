// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/present/PresentLayer.h"

#include "views/common/Theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace tilescope::views {

/// At the standard size of text.
static constexpr int kCaptionPx = 30;
static constexpr int kInsetPx = 12;
static constexpr int kMarginPx = 3;
static constexpr int kLeastLightPx = 36;
static constexpr int kPointerPx = 90;
static constexpr int kPenPx = 3;
/// How much of the window's color lies over what is not lit.
static constexpr double kShade = 0.64;

PresentLayer::PresentLayer(QWidget *window) : QWidget(window), m_window(window) {
  setObjectName(QStringLiteral("presentLayer"));
  setFocusPolicy(Qt::StrongFocus);
  setGeometry(window->rect());
  m_pointer = rect().center();
  window->installEventFilter(this);
  followButtons();
}

void PresentLayer::setCaption(const QString &mark, const QString &caption) {
  m_mark = mark;
  m_caption = caption;
  setAccessibleName(tr("Presentation, %1: %2").arg(mark, caption));
  update();
}

int PresentLayer::captionHeight() const { return scaledPx(kCaptionPx); }

void PresentLayer::setStop(size_t stop) {
  m_ink.setStop(stop);
  update();
}

void PresentLayer::setSpotlit(bool isSpotlit) {
  m_isSpotlit = isSpotlit;
  update();
}

void PresentLayer::setTarget(const std::optional<QRectF> &target) {
  if (m_target == target)
    return;
  m_target = target;
  if (m_isSpotlit)
    update();
}

void PresentLayer::setPointer(QPointF point) {
  m_pointer = point;
  if (m_isSpotlit && !m_target)
    update();
}

QRectF PresentLayer::stage() const { return QRectF(rect()).adjusted(0, 0, 0, -captionHeight()); }

QRectF PresentLayer::lit() const {
  if (!m_isSpotlit)
    return {};
  if (m_target)
    return litArea(*m_target, scaledPx(kMarginPx), scaledPx(kLeastLightPx), stage());
  return litArea(QRectF(m_pointer, QSizeF()), scaledPx(kPointerPx), 0, stage());
}

void PresentLayer::setDrawing(bool isDrawing) {
  m_isDrawing = isDrawing;
  followButtons();
  update();
}

void PresentLayer::clearDrawing() {
  m_ink.clear();
  update();
}

void PresentLayer::setBlank(bool isBlank) {
  m_isBlank = isBlank;
  update();
}

void PresentLayer::followButtons() {
  setAttribute(Qt::WA_TransparentForMouseEvents, !m_isDrawing);
  setCursor(m_isDrawing ? Qt::CrossCursor : Qt::ArrowCursor);
}

QPointF PresentLayer::share(QPointF point) const {
  return {point.x() / std::max(1, width()), point.y() / std::max(1, height())};
}

bool PresentLayer::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_window && event->type() == QEvent::Resize)
    setGeometry(m_window->rect());
  // Views that come into sight are put over it.
  if (watched == m_window && event->type() == QEvent::ChildAdded)
    QMetaObject::invokeMethod(this, &QWidget::raise, Qt::QueuedConnection);
  return false;
}

void PresentLayer::paintLight(QPainter &painter) const {
  QPainterPath shade;
  shade.addRect(stage());
  QPainterPath light;
  const double corner = m_target ? scaledPx(kMarginPx) : scaledPx(kPointerPx);
  light.addRoundedRect(lit(), corner, corner);
  QColor color = theme()[ColorRole::Window];
  color.setAlphaF(kShade);
  painter.fillPath(shade - light, color);
  painter.setPen(QPen(theme()[ColorRole::FocusEdge], scaledPx(2)));
  painter.drawPath(light);
}

void PresentLayer::paintCaption(QPainter &painter) const {
  const QRect strip(0, height() - captionHeight(), width(), captionHeight());
  painter.fillRect(strip, theme()[ColorRole::Panel]);
  painter.fillRect(QRect(strip.topLeft(), QSize(strip.width(), 1)), theme()[ColorRole::Border]);
  painter.setFont(uiFont());
  const QRect words = strip.adjusted(scaledPx(kInsetPx), 0, -scaledPx(kInsetPx), 0);
  painter.setPen(theme()[ColorRole::TextMuted]);
  painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_mark);
  const int room =
      words.width() - painter.fontMetrics().horizontalAdvance(m_mark) - scaledPx(kInsetPx);
  painter.setPen(theme()[ColorRole::Text]);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(m_caption, Qt::ElideRight, room));
}

void PresentLayer::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  if (m_isBlank) {
    painter.fillRect(rect(), Qt::black);
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_isSpotlit)
    paintLight(painter);
  painter.setPen(QPen(theme()[ColorRole::Error], scaledPx(kPenPx), Qt::SolidLine, Qt::RoundCap,
                      Qt::RoundJoin));
  for (const QPolygonF &line : m_ink.lines(size())) {
    if (line.size() > 1)
      painter.drawPolyline(line);
    else
      painter.drawPoint(line.front());
  }
  paintCaption(painter);
}

void PresentLayer::keyPressEvent(QKeyEvent *event) {
  if (const std::optional<PresentCommand> command = presentCommand(event->keyCombination()))
    Q_EMIT commanded(*command);
  else
    QWidget::keyPressEvent(event);
}

void PresentLayer::mousePressEvent(QMouseEvent *event) {
  if (m_isDrawing && event->button() == Qt::LeftButton)
    m_ink.begin(share(event->position()));
  update();
}

void PresentLayer::mouseMoveEvent(QMouseEvent *event) {
  if (m_isDrawing && (event->buttons() & Qt::LeftButton))
    m_ink.extend(share(event->position()));
  update();
}

} // namespace tilescope::views
