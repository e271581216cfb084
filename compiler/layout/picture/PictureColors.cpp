// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/PictureColors.h"

#include "compiler/layout/Gf2.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope::compiler {

Oklch familyColor(int64_t index, int64_t count, bool isDark) {
  const int64_t steps = std::max<int64_t>(count, 1);
  const double share = static_cast<double>(index % steps) / static_cast<double>(steps);
  const double hue = 250.0 + 360.0 * share;
  return isDark ? Oklch{0.46 + 0.44 * share, 0.10, hue} : Oklch{0.62 + 0.36 * share, 0.085, hue};
}

Hatch hatchOf(uint64_t member) {
  const uint64_t pattern = member % 8;
  return {pattern == 1 || pattern == 4 || pattern == 7, pattern == 2 || pattern == 4,
          pattern == 3 || pattern == 6 || pattern == 7, pattern == 5 || pattern == 6};
}

size_t MemberPalette::numColors(int memberBits) {
  return size_t(1) << std::min(memberBits, kMostColorBits);
}

uint64_t MemberPalette::index(uint64_t member) const {
  return member >> (memberBits - std::countr_zero(colors.size()));
}

uint32_t MemberPalette::of(uint64_t member) const {
  const uint64_t at = index(member);
  return at < colors.size() ? colors[at] : none;
}

static int64_t numSamples(int64_t first, int64_t last, int level) {
  return (last - first + (int64_t(1) << level) - 1) >> level;
}

int64_t CellSamples::numRows() const { return numSamples(range.firstRow, range.lastRow, rowLevel); }
int64_t CellSamples::numColumns() const {
  return numSamples(range.firstColumn, range.lastColumn, columnLevel);
}

namespace {
struct Mix {
  float red = 0, green = 0, blue = 0;

  explicit Mix(uint32_t color)
      : red(static_cast<float>(color >> 16 & 0xff)), green(static_cast<float>(color >> 8 & 0xff)),
        blue(static_cast<float>(color & 0xff)) {}
  /// `share` of this color, the rest of the other.
  Mix with(const Mix &other, float share) const {
    Mix result = *this;
    result.red += (other.red - red) * (1 - share);
    result.green += (other.green - green) * (1 - share);
    result.blue += (other.blue - blue) * (1 - share);
    return result;
  }
  uint32_t color() const {
    const auto byte = [](float value) { return static_cast<uint32_t>(std::lround(value)); };
    return 0xff000000 | byte(red) << 16 | byte(green) << 8 | byte(blue);
  }
};
} // namespace

/// The mean over all sums with the vectors that `basis` spans, at every index.
static std::vector<uint32_t> meanColors(const MemberPalette &palette, const gf2::Basis &basis) {
  std::vector<Mix> mixes(palette.colors.begin(), palette.colors.end());
  const int numBits = std::countr_zero(palette.colors.size());
  int numOther = 0;
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t change = basis.row(bit);
    if (change && bit >= numBits)
      ++numOther;
    else if (change)
      for (size_t i = 0; i < mixes.size(); ++i)
        if (const size_t partner = i ^ change; i < partner)
          mixes[i] = mixes[partner] = mixes[i].with(mixes[partner], 0.5F);
  }
  // Every change that leads away from the members halves the share of those that are.
  std::vector<uint32_t> colors;
  for (const Mix &mix : mixes)
    colors.push_back(mix.with(Mix(palette.none), std::ldexp(1.0F, -numOther)).color());
  return colors;
}

void sampleColors(const CellMap &members, const MemberPalette &palette, const CellSamples &samples,
                  std::span<uint32_t> out) {
  gf2::Basis within;
  const auto insert = [&](Dim axis, int level) {
    const std::span<const uint64_t> images = members.layout().columns(axis);
    for (uint64_t image : images.first(std::min<size_t>(static_cast<size_t>(level), images.size())))
      within.insert(palette.index(image));
  };
  insert(Dim::Row, samples.rowLevel);
  insert(Dim::Column, samples.columnLevel);
  const std::vector<uint32_t> colors = meanColors(palette, within);

  std::vector<uint64_t> columns(static_cast<size_t>(samples.numColumns()));
  for (size_t i = 0; i < columns.size(); ++i)
    columns[i] = within.rest(palette.index(members.ofColumn(
        samples.range.firstColumn + (static_cast<int64_t>(i) << samples.columnLevel))));
  auto *to = out.data();
  for (int64_t i = 0; i < samples.numRows(); ++i) {
    const uint64_t row =
        within.rest(palette.index(members.ofRow(samples.range.firstRow + (i << samples.rowLevel))));
    for (uint64_t column : columns) {
      const uint64_t index = row ^ column;
      *to++ = index < colors.size() ? colors[index] : palette.none;
    }
  }
}

} // namespace tilescope::compiler
