// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A model's memory as a picture: steps to the right, places in the arena downwards, a rectangle for each tensor.
#pragma once

#include "compiler/artifacts/ModelResult.h"
#include "compiler/layout/picture/PictureGrid.h"

namespace tilescope::views {

using compiler::GridPoint;
using compiler::GridRect;

/// Steps are the kernels in their order, and one more for the model's outputs.
class ArenaPicture {
public:
  ArenaPicture() = default;
  explicit ArenaPicture(const compiler::ModelResult &model);

  size_t numSlots() const { return m_rects.size(); }
  /// In a picture 1 wide and 1 high.
  const GridRect &slot(size_t slot) const { return m_rects[slot]; }
  /// How many bytes live in each step.
  const std::vector<uint64_t> &liveBytes() const { return m_liveBytes; }
  /// How far down the bytes reach that no plan can do without, from 0 to 1.
  double leastHeight() const { return m_leastHeight; }
  /// At a point of such a picture; -1: free.
  int slotAt(GridPoint point) const;

private:
  std::vector<GridRect> m_rects;
  std::vector<uint64_t> m_liveBytes;
  double m_leastHeight = 0;
};

} // namespace tilescope::views
