// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/layout/DiagramCanvas.h"

#include <memory>

namespace tilescope::views {

/// What cells are coloured by.
enum class LayoutColoring { Warp, Lane, Register };

/// All that the two diagrams of one layout need; a value that is made anew when the tensor, the cut
/// or the colouring changes.
struct LayoutPicture {
  compiler::LayoutFacts facts;
  LayoutMap map;
  TensorSlice slice;
  LayoutColoring coloring = LayoutColoring::Warp;
  TensorGrid tensor;
  HardwareGrid hardware;

  /// Which warp, lane, register or, in shared memory, bank a place is coloured by.
  int memberOf(uint32_t place) const;
  int numMembers() const;
  /// `warp 1 · lane 13 · register 2`, or where in shared memory.
  QString ownerText(uint32_t place) const;
  /// What a lane holds and how often; for shared memory, how much there is.
  QString summary() const;
  /// `element [3, 130] — warp 1 · …`.
  QString elementText(int64_t element, const std::vector<uint32_t> &owners) const;
};

using LayoutPicturePointer = std::shared_ptr<const LayoutPicture>;

LayoutPicturePointer makeLayoutPicture(const compiler::LayoutFacts &facts, TensorSlice slice,
                                       LayoutColoring coloring);
/// The tensor, element by element, in the colours of the owners.
DiagramContent tensorContent(const LayoutPicturePointer &picture);
/// The owners: warps, lanes and registers, or the banks of shared memory.
DiagramContent hardwareContent(const LayoutPicturePointer &picture);

} // namespace tilescope::views
