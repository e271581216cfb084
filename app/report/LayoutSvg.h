// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"
#include "compiler/layout/picture/PictureMembers.h"
#include "profiler/report/ReportData.h"

#include <optional>

namespace tilescope::app {

/// A picture of the last two dimensions: one rectangle for each run of elements that a lane (or a
/// bank) holds, in the color and pattern of its warp (or in the color of its bank), labeled as in
/// the window. Large tensors are cut to their first rows and columns, and the caption says so, so a
/// picture has a bounded size. Nothing when there is nothing to draw.
std::optional<profiler::ReportDiagram> layoutDiagram(const compiler::LayoutFacts &facts);

/// The window's color of a member in the light theme, for CSS.
std::string memberColor(uint64_t member, const compiler::Members &members);

} // namespace tilescope::app
