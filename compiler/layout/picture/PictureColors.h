// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Colors and patterns of the members of a family, and what of them remains when many cells share a
// pixel.
#pragma once

#include "compiler/layout/picture/PictureGrid.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilescope::compiler {

/// A color in a perceptually even space: lightness 0 to 1, chroma 0 to about 0.3, hue in degrees.
struct Oklch {
  double lightness = 0;
  double chroma = 0;
  double hue = 0;
};

/// Evenly spaced hues that become lighter from member to member, so that members differ without
/// color, too.
Oklch familyColor(int64_t index, int64_t count, bool isDark);

/// The lines of a pattern that distinguishes members without color. There are eight patterns; the
/// first of them is plain.
struct Hatch {
  bool rising = false;
  bool falling = false;
  bool horizontal = false;
  bool vertical = false;
};
Hatch hatchOf(uint64_t member);

/// Most colors of one picture: members of a larger family share one with their neighbors.
inline constexpr int kMostColorBits = 10;

/// Opaque colors, as 0xffRRGGBB, of a family of `1 << memberBits` members.
struct MemberPalette {
  int memberBits = 0;
  /// A power of two of them, at most `1 << kMostColorBits`.
  std::vector<uint32_t> colors;
  /// Of numbers from `1 << memberBits` on, which are not members.
  uint32_t none = 0xff808080;

  /// How many there should be for a family.
  static size_t numColors(int memberBits);
  /// The color's index; from `colors.size()` on for what is not a member. Linear.
  uint64_t index(uint64_t member) const;
  uint32_t of(uint64_t member) const;
};

/// Cells in a coarse view: each sample is `1 << rowLevel` by `1 << columnLevel` of them.
struct CellSamples {
  /// Multiples of a sample's cells, and ends that need not be.
  CellRange range;
  int rowLevel = 0;
  int columnLevel = 0;

  int64_t numRows() const;
  int64_t numColumns() const;
};

/// The mean color of every sample, row by row. One step for each sample, however many cells it
/// has: the members in it are one and the same set of changes applied to the member of its first
/// cell. `members` maps cells to what the palette takes.
void sampleColors(const CellMap &members, const MemberPalette &palette, const CellSamples &samples,
                  std::span<uint32_t> out);

} // namespace tilescope::compiler
