// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/ArrayPlaces.h"

#include <algorithm>
#include <cmath>

namespace tilescope::compiler::access {

/// Of what is to be seen, in pixels: in both directions, or across a line.
static constexpr double kLeastDotPx = 6, kLeastLinePx = 4;

double aspectOf(const ArrayShape &shape, const PastEnd &past) {
  constexpr double kMostOblong = 6;
  const auto rows = static_cast<double>(std::max<int64_t>(1, shape.rows + past.rows));
  return std::clamp(static_cast<double>(shape.columns + past.columns) / rows, 1 / kMostOblong,
                    kMostOblong);
}

/// The largest rectangle of these proportions.
static GridRect fitted(double aspect, double width, double height) {
  const double used = std::min(width, height * aspect);
  return {0, 0, used, used / aspect};
}

std::vector<GridRect> placeArrays(const std::vector<double> &aspects, const PlaceSize &size) {
  const size_t count = aspects.size();
  std::vector<GridRect> best;
  double most = -1;
  for (size_t across = 1; across <= count; ++across) {
    const size_t down = (count + across - 1) / across;
    const double width =
        (size.width - size.gap * static_cast<double>(across - 1)) / static_cast<double>(across);
    const double line =
        (size.height - size.gap * static_cast<double>(down - 1)) / static_cast<double>(down);
    const double height = line - size.caption;
    if (width < 1 || height < 1)
      continue;
    std::vector<GridRect> places;
    double area = 0;
    for (size_t i = 0; i < count; ++i) {
      GridRect rect = fitted(aspects[i], width, height);
      rect.x = static_cast<double>(i % across) * (width + size.gap);
      rect.y = static_cast<double>(i / across) * (line + size.gap) + size.caption;
      // A large one does not make up for a small one.
      area += std::sqrt(rect.width * rect.height);
      places.push_back(rect);
    }
    if (area > most) {
      most = area;
      best = std::move(places);
    }
  }
  if (best.empty())
    best.resize(count);
  return best;
}

ArrayWindow wholeWindow(const ArrayShape &shape) {
  return {0, 0, static_cast<double>(std::max<int64_t>(1, shape.rows)),
          static_cast<double>(std::max<int64_t>(1, shape.columns))};
}

static double within(double first, double count, double all) {
  return std::clamp(first, 0.0, std::max(0.0, all - count));
}

ArrayWindow zoomed(const ArrayWindow &window, const ArrayShape &shape, double factor,
                   GridPoint about) {
  constexpr double kLeast = 4;
  const ArrayWindow whole = wholeWindow(shape);
  ArrayWindow result;
  result.rows = std::clamp(window.rows / factor, std::min(kLeast, whole.rows), whole.rows);
  result.columns =
      std::clamp(window.columns / factor, std::min(kLeast, whole.columns), whole.columns);
  const double down = (about.y - window.row) / window.rows;
  const double across = (about.x - window.column) / window.columns;
  result.row = within(about.y - down * result.rows, result.rows, whole.rows);
  result.column = within(about.x - across * result.columns, result.columns, whole.columns);
  return result;
}

static double shownFrom(double first, double count, double place) {
  return std::min(std::max(first, place + 1 - count), place);
}

ArrayWindow showing(const ArrayWindow &window, const ArrayShape &shape, int64_t row,
                    int64_t column) {
  const ArrayWindow whole = wholeWindow(shape);
  ArrayWindow result = window;
  result.row =
      within(shownFrom(window.row, window.rows, static_cast<double>(row)), window.rows, whole.rows);
  result.column = within(shownFrom(window.column, window.columns, static_cast<double>(column)),
                         window.columns, whole.columns);
  return result;
}

/// The part of an interval that is in sight, at least a pixel wide.
static std::optional<std::pair<double, double>> shown(double first, double last, double origin,
                                                      double scale, double length) {
  double from = (first - origin) * scale, to = (last - origin) * scale;
  if (to <= 0 || from >= length)
    return std::nullopt;
  from = std::max(0.0, from);
  to = std::min(length, std::max(to, from + 1));
  return std::pair(std::min(from, length - 1), to);
}

/// A box in what is in sight, to which there is room at the end.
static std::optional<GridRect> shownBox(const ArrayGrid &grid, const ElementBox &box, double right,
                                        double below) {
  const auto down = shown(static_cast<double>(box.first[1]), static_cast<double>(box.end(1)),
                          grid.window.row, grid.rowHeight(), grid.rect.height + below);
  const auto across = shown(static_cast<double>(box.first[2]), static_cast<double>(box.end(2)),
                            grid.window.column, grid.columnWidth(), grid.rect.width + right);
  if (!down || !across)
    return std::nullopt;
  return GridRect{grid.rect.x + across->first, grid.rect.y + down->first,
                  across->second - across->first, down->second - down->first};
}

std::optional<GridRect> ArrayGrid::box(const ElementBox &box) const {
  return shownBox(*this, box, 0, 0);
}

std::optional<GridRect> ArrayGrid::reached(const ElementBox &box) const {
  return shownBox(*this, box, roomRight, roomBelow);
}

ArrayGrid gridIn(const GridRect &place, const ArrayShape &shape, const PastEnd &past,
                 const ArrayWindow &window) {
  const ArrayWindow whole = wholeWindow(shape);
  const double width = place.width * whole.columns / (whole.columns + double(past.columns));
  const double height = place.height * whole.rows / (whole.rows + double(past.rows));
  ArrayGrid grid{
      {place.x, place.y, std::max(1.0, std::floor(width)), std::max(1.0, std::floor(height))},
      window};
  constexpr double kAtEnd = 1e-6;
  if (window.column + window.columns > whole.columns - kAtEnd)
    grid.roomRight = place.width - grid.rect.width;
  if (window.row + window.rows > whole.rows - kAtEnd)
    grid.roomBelow = place.height - grid.rect.height;
  return grid;
}

GridRect ArrayGrid::seen(const GridRect &box) const {
  const bool isDot = box.width < kLeastDotPx && box.height < kLeastDotPx;
  const double least = isDot ? kLeastDotPx : kLeastLinePx;
  const double width = std::max(box.width, std::min(least, rect.width));
  const double height = std::max(box.height, std::min(least, rect.height));
  const auto within = [](double at, double from, double room) {
    return std::clamp(at, from, from + std::max(0.0, room));
  };
  return {within(box.x + (box.width - width) / 2, rect.x, rect.width - width),
          within(box.y + (box.height - height) / 2, rect.y, rect.height - height), width, height};
}

std::optional<GridPoint> ArrayGrid::at(GridPoint point) const {
  const double x = point.x - rect.x, y = point.y - rect.y;
  if (x < 0 || y < 0 || x >= rect.width || y >= rect.height)
    return std::nullopt;
  return GridPoint{window.column + x / columnWidth(), window.row + y / rowHeight()};
}

} // namespace tilescope::compiler::access
