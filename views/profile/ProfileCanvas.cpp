// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/profile/ProfileCanvas.h"

#include "views/common/Theme.h"
#include "views/profile/ProfilePaint.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>

#include <cmath>

namespace tilescope::views {

using compiler::access::Step;

static ProfilePage pageOf(const std::vector<ProfileSection> &sections, double width) {
  const QFontMetricsF metrics(profileFont());
  return layOutProfile(sections, width,
                       [&](const QString &text) { return metrics.horizontalAdvance(text); });
}

ProfileCanvas::ProfileCanvas(QWidget *parent) : PictureCanvas(parent) {
  setAccessibleName(tr("Profile"));
  // A page has a least width.
  setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ProfileCanvas::tellSection);
}

double ProfileCanvas::scale() const { return textPercent() / 100.0 * zoom(); }

QPointF ProfileCanvas::scrolled() const {
  return QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

void ProfileCanvas::setSections(std::vector<ProfileSection> sections) {
  m_sections = std::move(sections);
  layOut();
  resetPlaces();
  tellSection();
}

void ProfileCanvas::setOutdated(bool isOutdated) {
  if (std::exchange(m_isOutdated, isOutdated) != isOutdated)
    viewport()->update();
}

void ProfileCanvas::layOut() {
  const int section = m_section;
  const double width = m_page.width;
  m_page = pageOf(m_sections, viewport()->width() / scale());
  const double beyond = m_page.width * scale() - viewport()->width();
  horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(beyond - 0.5))));
  horizontalScrollBar()->setPageStep(std::max(1, viewport()->width()));
  setHeights(m_page.height * scale(), viewport()->height(), ProfilePage::kRowHeight * scale());
  // Blocks have other places: the one that was looked at stays in sight.
  if (width > 0 && width != m_page.width)
    showSection(static_cast<size_t>(section));
}

void ProfileCanvas::showSection(size_t section) {
  if (section >= m_page.blocks.size())
    return;
  m_section = static_cast<int>(section);
  scrollToSection();
}

void ProfileCanvas::scrollToSection() {
  // The last ones may not reach the top; they are what is looked at nevertheless.
  const QSignalBlocker blocker(this);
  const int section = m_section;
  verticalScrollBar()->setValue(static_cast<int>(
      (m_page.blocks[static_cast<size_t>(section)].rect.top() - ProfilePage::kMargin / 2) *
      scale()));
  m_section = section;
}

void ProfileCanvas::tellSection() {
  const QScrollBar *bar = verticalScrollBar();
  const int section = static_cast<int>(m_page.sectionAt(bar->value() / scale()));
  if (std::exchange(m_section, section) != section)
    Q_EMIT sectionShown(section);
}

int ProfileCanvas::placeAt(QPointF point) const {
  return m_page.placeAt((point + scrolled()) / scale());
}

int ProfileCanvas::placeFrom(int place, Step step) const { return m_page.placeFrom(place, step); }

compiler::GridRect ProfileCanvas::extentOf(int place) const {
  const QRectF rect = m_page.places[static_cast<size_t>(place)].rect;
  return {rect.x() * scale(), rect.y() * scale(), rect.width() * scale(), rect.height() * scale()};
}

QRectF ProfileCanvas::placeRect(int place) const {
  const compiler::GridRect rect = extentOf(place);
  return QRectF(rect.x, rect.y, rect.width, rect.height).translated(-scrolled());
}

void ProfileCanvas::paintPicture(QPainter &painter) const {
  if (m_sections.empty())
    return drawEmptyText(painter, QRectF(viewport()->rect()));
  painter.save();
  painter.translate(-scrolled());
  painter.scale(scale(), scale());
  paintProfile(painter, m_sections, m_page,
               QRectF(scrolled() / scale(), QSizeF(viewport()->size()) / scale()), m_isOutdated);
  painter.restore();
  if (highlighted() >= 0 && highlighted() < numPlaces())
    drawOutline(painter, placeRect(highlighted()));
}

double ProfileCanvas::heightFor(double width) const { return pageOf(m_sections, width).height; }

void ProfileCanvas::render(QPainter &painter, const QRectF &target) const {
  const ProfilePage page = pageOf(m_sections, target.width());
  painter.save();
  painter.translate(target.topLeft());
  paintProfile(painter, m_sections, page, QRectF(0, 0, page.width, page.height), m_isOutdated);
  painter.restore();
}

} // namespace tilescope::views
