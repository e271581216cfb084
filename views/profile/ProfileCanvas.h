// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/PictureCanvas.h"
#include "views/profile/ProfilePage.h"

namespace tilescope::views {

/// The page of a profile: scrolls, and each bar, arrow, point and row of it can be pointed at.
class ProfileCanvas : public PictureCanvas {
  Q_OBJECT
public:
  explicit ProfileCanvas(QWidget *parent = nullptr);

  void setSections(std::vector<ProfileSection> sections);
  const std::vector<ProfileSection> &sections() const { return m_sections; }
  const ProfilePage &page() const { return m_page; }
  /// What is shown no longer belongs to the text: it is gray.
  void setOutdated(bool isOutdated);
  bool isOutdated() const { return m_isOutdated; }
  /// Scrolls to the title of a section.
  void showSection(size_t section);
  /// A place, in the viewport.
  QRectF placeRect(int place) const;

  /// All of it on a page of this width.
  double heightFor(double width) const;
  void render(QPainter &painter, const QRectF &target) const;

Q_SIGNALS:
  /// Scrolling has brought another section to the top.
  void sectionShown(int section);

protected:
  int numPlaces() const override { return static_cast<int>(m_page.places.size()); }
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  compiler::GridRect extentOf(int place) const override;
  void layOut() override;
  void paintPicture(QPainter &painter) const override;

private:
  /// Pixels of the viewport for one of the page.
  double scale() const;
  QPointF scrolled() const;
  void tellSection();
  void scrollToSection();

  std::vector<ProfileSection> m_sections;
  ProfilePage m_page;
  bool m_isOutdated = false;
  int m_section = 0;
};

} // namespace tilescope::views
