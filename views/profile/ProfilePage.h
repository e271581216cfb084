// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/RequestGrid.h"
#include "views/profile/ProfileSections.h"

#include <QPointF>
#include <QRectF>

#include <functional>

namespace tilescope::views {

/// Where the parts of a profile lie on a page of some width: blocks beside each other as long as
/// they fit, each with its title, words, picture and table below each other. Lengths in pixels at
/// the standard size of text; y goes down from the top of the page.
struct ProfilePage {
  /// What can be pointed at.
  enum class Kind { Bin, Bar, Arrow, Line, Point, Row };
  struct Place {
    size_t section = 0;
    Kind kind{};
    size_t index = 0;
    QRectF rect;
  };
  struct Block {
    QRectF rect;
    /// In lines that fit.
    QStringList remarks;
    double remarksTop = 0;
    /// The picture's frame on the page, and the factor between its own lengths and the page's.
    QRectF picture;
    double pictureScale = 1;
    double rowsTop = 0;
    int rowColumns = 1;
    double columnWidth = 0;
    int rowsInColumn = 0;
  };
  static constexpr double kLeastWidth = 690, kMargin = 12, kTitleHeight = 26, kLineHeight = 17,
                          kRowHeight = 21;

  double width = 0, height = 0;
  /// One for each section.
  std::vector<Block> blocks;
  std::vector<Place> places;

  QRectF rowRect(size_t section, size_t row) const;
  /// The one at a point; -1: none.
  int placeAt(QPointF point) const;
  /// Up and down to the next place, left and right to the next section.
  int placeFrom(int place, compiler::access::Step step) const;
  /// The first section that is in sight below `top`.
  size_t sectionAt(double top) const;
};

/// `textWidth`: of a text in the font of the page.
ProfilePage layOutProfile(const std::vector<ProfileSection> &sections, double width,
                          const std::function<double(const QString &)> &textWidth);

/// What is said about a place, in words.
QString placeWords(const ProfileSection &section, const ProfilePage::Place &place);

} // namespace tilescope::views
