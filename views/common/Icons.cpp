// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/Theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

namespace tilescope::views {

namespace {
/// Draws an SVG whose strokes are `currentColor` in a color of the theme in use at that moment, so
/// that icons follow a change of theme and stay sharp on every screen.
class ThemedIconEngine : public QIconEngine {
public:
  ThemedIconEngine(QByteArray svg, ColorRole role) : m_svg(std::move(svg)), m_role(role) {}

  void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override {
    QColor color =
        theme()[mode == QIcon::Disabled ? ColorRole::BorderStrong
                // An icon that is muted by itself shows that it is switched on.
                : state == QIcon::On && m_role == ColorRole::TextMuted ? ColorRole::Accent
                                                                       : m_role];
    QByteArray svg = m_svg;
    svg.replace("currentColor", color.name().toUtf8());
    QSvgRenderer(svg).render(painter, QRectF(rect));
  }

  QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return pixmap;
  }

  QIconEngine *clone() const override { return new ThemedIconEngine(m_svg, m_role); }

private:
  QByteArray m_svg;
  ColorRole m_role;
};
} // namespace

QIcon themedIcon(const QString &name, ColorRole role) {
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly))
    return {};
  return QIcon(new ThemedIconEngine(file.readAll(), role));
}

} // namespace tilescope::views
