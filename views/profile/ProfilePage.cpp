// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/profile/ProfilePage.h"

#include <algorithm>
#include <cmath>

namespace tilescope::views {

using compiler::access::Step;
using profiler::BarPicture;
using profiler::MemoryPicture;
using profiler::RooflinePicture;
using profiler::TimePicture;
using Block = ProfilePage::Block;
using Kind = ProfilePage::Kind;
using Place = ProfilePage::Place;

static constexpr double kGap = 28, kTableWidth = 500, kColumnGap = 20, kBelowPicture = 10,
                        kBelowBlock = 18;
/// A picture is not made smaller than this: its words could not be read.
static constexpr double kLeastScale = 0.72;

static QSizeF naturalSize(const ProfileSection &section) {
  if (const auto *time = std::get_if<TimePicture>(&section.picture))
    return {time->width, time->height};
  if (const auto *bars = std::get_if<BarPicture>(&section.picture))
    return {BarPicture::kWidth, bars->height()};
  if (const auto *memory = std::get_if<MemoryPicture>(&section.picture))
    return {memory->width, memory->height};
  if (const auto *roofline = std::get_if<RooflinePicture>(&section.picture))
    return {roofline->width, roofline->height};
  return {};
}

/// As many blocks beside each other as can be read, each as wide as it then may be.
static double columnWidth(double pageWidth) {
  constexpr double kLeast = 440, kMost = 560;
  const double columns = std::max(1.0, std::floor((pageWidth + kGap) / (kLeast + kGap)));
  return std::min(kMost, (pageWidth - (columns - 1) * kGap) / columns);
}

static bool hasLines(const ProfileSection &section) {
  return section.part == ProfilePart::HotLines || section.part == ProfilePart::Prediction;
}

static double blockWidth(const ProfileSection &section, double most) {
  if (hasLines(section))
    return most;
  const double natural = std::max(naturalSize(section).width(), kTableWidth);
  const bool isWide = section.part == ProfilePart::Memory && !section.isEmpty();
  return std::min(isWide ? most : columnWidth(most), natural);
}

static QStringList wrapped(const QString &text, double width,
                           const std::function<double(const QString &)> &textWidth) {
  QStringList lines{QString()};
  for (const QString &word : text.split(u' ')) {
    const QString longer = lines.back().isEmpty() ? word : lines.back() + u' ' + word;
    if (lines.back().isEmpty() || textWidth(longer) <= width)
      lines.back() = longer;
    else
      lines << word;
  }
  return lines;
}

/// The block of a section with its upper left corner at the origin.
static Block layOutBlock(const ProfileSection &section, double most,
                         const std::function<double(const QString &)> &textWidth) {
  Block block;
  const double width = blockWidth(section, most);
  for (const QString &remark : section.remarks)
    block.remarks << wrapped(remark, width - 8, textWidth);
  double y = ProfilePage::kTitleHeight;
  block.remarksTop = y;
  y += static_cast<double>(block.remarks.size()) * ProfilePage::kLineHeight;
  if (const QSizeF size = naturalSize(section); !size.isEmpty()) {
    y += block.remarks.isEmpty() ? 0 : 4;
    block.pictureScale = std::clamp(width / size.width(), kLeastScale, 1.0);
    block.picture = {QPointF(0, y), size * block.pictureScale};
    y += block.picture.height() + kBelowPicture;
  }
  block.rowsTop = y;
  const bool areLines = hasLines(section);
  block.rowColumns = areLines || width < 2 * (kTableWidth - kGap - 40) ? 1 : 2;
  block.columnWidth = (width - (block.rowColumns - 1) * kColumnGap) / block.rowColumns;
  const int numRows = static_cast<int>(section.rows.size());
  block.rowsInColumn = (numRows + block.rowColumns - 1) / block.rowColumns;
  y += block.rowsInColumn * ProfilePage::kRowHeight;
  block.rect = {0, 0, width, y};
  return block;
}

static void moveBlock(Block &block, QPointF by) {
  block.rect.translate(by);
  block.picture.translate(by);
  block.remarksTop += by.y();
  block.rowsTop += by.y();
}

QRectF ProfilePage::rowRect(size_t section, size_t row) const {
  const Block &block = blocks[section];
  const int column = static_cast<int>(row) / std::max(1, block.rowsInColumn);
  const int index = static_cast<int>(row) % std::max(1, block.rowsInColumn);
  return {block.rect.left() + column * (block.columnWidth + kColumnGap),
          block.rowsTop + index * kRowHeight, block.columnWidth, kRowHeight};
}

/// A sloping line is pointed at near its name, a level one everywhere.
static QRectF lineRect(const RooflinePicture &picture, const RooflinePicture::Line &line) {
  constexpr double kHalf = 7;
  if (!line.isRoof)
    return {line.x1, line.y1 - 2 * kHalf, picture.right - line.x1, 3 * kHalf};
  const double x = line.x1 + 0.12 * (line.x2 - line.x1), y = line.y1 + 0.12 * (line.y2 - line.y1);
  return {x - 3 * kHalf, y - 2 * kHalf, 6 * kHalf, 3 * kHalf};
}

/// In the picture's own lengths.
static std::vector<Place> placesIn(const ProfileSection &section) {
  std::vector<Place> places;
  const auto add = [&](Kind kind, size_t index, const QRectF &rect) {
    places.push_back({0, kind, index, rect});
  };
  if (const auto *time = std::get_if<TimePicture>(&section.picture)) {
    for (size_t i = 0; i < time->bins.size(); ++i)
      if (time->bins[i].count > 0)
        add(Kind::Bin, i, {time->bins[i].x, 0, time->bins[i].width + 1, time->baseline});
  } else if (const auto *bars = std::get_if<BarPicture>(&section.picture)) {
    for (size_t i = 0; i < bars->rows.size(); ++i)
      add(Kind::Bar, i,
          {0, static_cast<double>(i) * BarPicture::kRowHeight, BarPicture::kWidth,
           BarPicture::kRowHeight});
  } else if (const auto *memory = std::get_if<MemoryPicture>(&section.picture)) {
    for (size_t i = 0; i < memory->arrows.size(); ++i) {
      const MemoryPicture::Arrow &arrow = memory->arrows[i];
      const double left = std::min(arrow.beginX, arrow.endX);
      add(Kind::Arrow, i, {left, arrow.y - 24, std::abs(arrow.endX - arrow.beginX), 36});
    }
  } else if (const auto *roofline = std::get_if<RooflinePicture>(&section.picture)) {
    for (size_t i = 0; i < roofline->points.size(); ++i)
      add(Kind::Point, i, {roofline->points[i].x - 8, roofline->points[i].y - 8, 16, 16});
    for (size_t i = 0; i < roofline->lines.size(); ++i)
      add(Kind::Line, i, lineRect(*roofline, roofline->lines[i]));
  }
  return places;
}

static void addPlaces(const ProfileSection &section, size_t index, ProfilePage &page) {
  const Block &block = page.blocks[index];
  for (Place place : placesIn(section)) {
    place.section = index;
    place.rect = {block.picture.topLeft() + place.rect.topLeft() * block.pictureScale,
                  place.rect.size() * block.pictureScale};
    page.places.push_back(place);
  }
  for (size_t row = 0; row < section.rows.size(); ++row)
    page.places.push_back({index, Kind::Row, row, page.rowRect(index, row)});
}

ProfilePage layOutProfile(const std::vector<ProfileSection> &sections, double width,
                          const std::function<double(const QString &)> &textWidth) {
  ProfilePage page;
  page.width = std::max(width, ProfilePage::kLeastWidth);
  const double most = page.width - 2 * ProfilePage::kMargin;
  double x = 0, y = ProfilePage::kMargin / 2, rowHeight = 0;
  for (size_t i = 0; i < sections.size(); ++i) {
    Block block = layOutBlock(sections[i], most, textWidth);
    if (x > 0 && x + block.rect.width() > most) {
      y += rowHeight + kBelowBlock;
      x = rowHeight = 0;
    }
    moveBlock(block, {ProfilePage::kMargin + x, y});
    x += block.rect.width() + kGap;
    rowHeight = std::max(rowHeight, block.rect.height());
    page.blocks.push_back(std::move(block));
    addPlaces(sections[i], i, page);
  }
  page.height = y + rowHeight + ProfilePage::kMargin;
  return page;
}

int ProfilePage::placeAt(QPointF point) const {
  // Points of a roofline lie on its lines: what is named first is on top.
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i].rect.contains(point))
      return static_cast<int>(i);
  return -1;
}

int ProfilePage::placeFrom(int place, Step step) const {
  const int last = static_cast<int>(places.size()) - 1;
  const auto sectionOf = [this](int at) { return places[static_cast<size_t>(at)].section; };
  int at = place;
  switch (step) {
  case Step::Up:
    return std::max(0, place - 1);
  case Step::Down:
    return std::min(last, place + 1);
  case Step::Left:
  case Step::RowStart:
    while (at > 0 && sectionOf(at - 1) == sectionOf(place))
      --at;
    if (step == Step::RowStart || at < place || at == 0)
      return at;
    for (const size_t before = sectionOf(--at); at > 0 && sectionOf(at - 1) == before;)
      --at;
    return at;
  case Step::Right:
  case Step::RowEnd:
    while (at < last && sectionOf(at + 1) == sectionOf(place))
      ++at;
    return step == Step::RowEnd ? at : std::min(last, at + 1);
  case Step::First:
    return 0;
  case Step::Last:
    break;
  }
  return last;
}

size_t ProfilePage::sectionAt(double top) const {
  constexpr double kInSight = 40;
  for (size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].rect.bottom() > top + kInSight)
      return i;
  return blocks.empty() ? 0 : blocks.size() - 1;
}

static QString text(const std::string &value) { return QString::fromStdString(value); }

QString placeWords(const ProfileSection &section, const Place &place) {
  const size_t i = place.index;
  const auto named = [](const QString &name, const QString &value, const QString &description) {
    const QString said = value.isEmpty() ? name : name + QStringLiteral(": ") + value;
    return description.isEmpty() ? said : said + QStringLiteral(". ") + description;
  };
  switch (place.kind) {
  case Kind::Bin:
    return text(std::get<TimePicture>(section.picture).bins[i].description);
  case Kind::Bar: {
    const profiler::BarRow &row = std::get<BarPicture>(section.picture).rows[i];
    return named(text(row.name), text(row.value), text(row.description));
  }
  case Kind::Arrow: {
    const MemoryPicture::Arrow &arrow = std::get<MemoryPicture>(section.picture).arrows[i];
    return named(text(arrow.text), {}, text(arrow.description));
  }
  case Kind::Line:
    return text(std::get<RooflinePicture>(section.picture).lines[i].description);
  case Kind::Point: {
    const RooflinePicture::Point &point = std::get<RooflinePicture>(section.picture).points[i];
    return text(point.description);
  }
  case Kind::Row:
    break;
  }
  const ProfileRow &row = section.rows[i];
  // What a line says is said whole by its description.
  return row.share ? row.description : named(row.name, row.value, row.description);
}

} // namespace tilescope::views
