// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/AccessPicture.h"
#include "views/access/AccessContent.h"

#include <QString>

namespace tilescope::views {

/// The number of a program in the order of its grid, the first dimension fastest, and back.
int64_t programNumber(const std::array<int32_t, 3> &program, const std::array<int32_t, 3> &grid);
std::array<int32_t, 3> programAt(int64_t number, const std::array<int32_t, 3> &grid);
/// Programs of a grid.
int64_t numPrograms(const std::array<int32_t, 3> &grid);
/// `(3, 1)`, as many numbers as the grid has dimensions.
QString programText(const std::array<int32_t, 3> &program, const std::array<int32_t, 3> &grid);

/// `16 requests · 512 sectors · …`: what an access costs.
QString costText(const compiler::AccessFacts &facts);
/// What one request touches: `warp 0, register 2: 32 lanes, 32 sectors in 32 lines · …`.
QString requestText(const compiler::access::RequestPicture &request);
/// A place in a request: lane, register, element, where in memory.
QString placeText(const compiler::access::RequestPicture &request, int place,
                  const compiler::RecordedAccess &access, const compiler::AccessRecord &record);

} // namespace tilescope::views
