// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/RequestGrid.h"

#include "compiler/access/Transactions.h"

#include <algorithm>
#include <cstdlib>

namespace tilescope::compiler::access {

static size_t numGaps(const RequestPicture &picture) {
  size_t gaps = 0;
  for (size_t line = 1; line < picture.lines.size(); ++line)
    gaps += !picture.followsOn(line);
  return gaps;
}

RequestGrid::RequestGrid(const RequestPicture &picture, const Size &size) : m_size(size) {
  double top = 0;
  for (size_t line = 0; line < picture.lines.size(); ++line) {
    if (line > 0 && !picture.followsOn(line))
      top += size.gap;
    m_tops.push_back(top);
    top += size.rowHeight;
  }
}

double RequestGrid::fittingRowHeight(const RequestPicture &picture, double height, double gap,
                                     double least, double most) {
  if (picture.lines.empty())
    return most;
  const double rest = height - gap * static_cast<double>(numGaps(picture));
  return std::clamp(rest / static_cast<double>(picture.lines.size()), least, most);
}

double RequestGrid::height() const { return m_tops.empty() ? 0 : m_tops.back() + m_size.rowHeight; }

GridRect RequestGrid::bytes(size_t line, int begin, int end) const {
  const double perByte = m_size.width / static_cast<double>(kLineBytes);
  return {begin * perByte, m_tops[line], (end - begin) * perByte, m_size.rowHeight};
}

GridRect RequestGrid::row(size_t line) const {
  return bytes(line, 0, static_cast<int>(kLineBytes));
}

Interval RequestGrid::linesIn(double top, double bottom) const {
  const auto first = std::ranges::partition_point(
      m_tops, [&](double each) { return each + m_size.rowHeight <= top; });
  const auto last =
      std::partition_point(first, m_tops.end(), [&](double each) { return each < bottom; });
  return {first - m_tops.begin(), last - m_tops.begin()};
}

int placeAt(const RequestPicture &picture, const RequestGrid &grid, GridPoint point) {
  for (size_t i = 0; i < picture.places.size(); ++i) {
    const GridRect rect = grid.place(picture.places[i]);
    if (point.x >= rect.x && point.x < rect.x + rect.width && point.y >= rect.y &&
        point.y < rect.y + rect.height)
      return static_cast<int>(i);
  }
  return -1;
}

/// The place of a line whose middle is nearest to a byte.
static int nearest(const RequestPicture &picture, size_t line, int middle) {
  int best = -1, least = 0;
  for (size_t i = 0; i < picture.places.size(); ++i) {
    const PicturePlace &place = picture.places[i];
    const int distance = std::abs(place.begin + place.end - middle);
    if (place.line == line && (best < 0 || distance < least)) {
      best = static_cast<int>(i);
      least = distance;
    }
  }
  return best;
}

int placeFrom(const RequestPicture &picture, int place, Step step) {
  const auto count = static_cast<int>(picture.places.size());
  if (count == 0)
    return -1;
  const int from = std::clamp(place, 0, count - 1);
  const PicturePlace &at = picture.places[static_cast<size_t>(from)];
  switch (step) {
  case Step::Left:
    return std::max(from - 1, 0);
  case Step::Right:
    return std::min(from + 1, count - 1);
  case Step::Up:
    return at.line == 0 ? from : nearest(picture, at.line - 1, at.begin + at.end);
  case Step::Down:
    return at.line + 1 == picture.lines.size() ? from
                                               : nearest(picture, at.line + 1, at.begin + at.end);
  case Step::RowStart:
    return nearest(picture, at.line, 0);
  case Step::RowEnd:
    return nearest(picture, at.line, 2 * static_cast<int>(kLineBytes));
  case Step::First:
    return 0;
  case Step::Last:
    return count - 1;
  }
  return from;
}

} // namespace tilescope::compiler::access
