// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"
#include "profiler/report/ReportData.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope::app {

/// Who holds one element of a distributed tensor, or where it lies in shared memory.
struct ElementOwner {
  /// The first of them, in the order register, lane, warp.
  int32_t reg = -1;
  int32_t lane = -1;
  int32_t warp = -1;
  /// In elements; shared layouts only.
  int32_t offset = -1;
  /// How many (register, lane, warp) hold the element.
  int32_t copies = 0;
};

/// Owners of all elements, row-major. Empty for a layout of more than a million elements.
///
/// Example: `register: [[1]]`, `lane: [[2],[4]]` on 8 elements: element 5 = 1 ^ 4 belongs to
/// register 1 of lane 2.
std::vector<ElementOwner> elementOwners(const compiler::LayoutFacts &facts);

/// A picture of the last two dimensions: one rectangle for each run of elements that a lane (or a
/// bank) holds, in the colour and pattern of its warp (or in the colour of its bank), labelled with
/// the lane (or the bank). Large tensors are cut to their first rows and columns. Nothing when
/// there is nothing to draw.
std::optional<profiler::ReportDiagram> layoutDiagram(const compiler::LayoutFacts &facts);

} // namespace tilescope::app
