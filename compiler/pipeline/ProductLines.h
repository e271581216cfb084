// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// The assembler's table of lines has the products of warp groups at the lines of what it schedules
/// before them: a copy, another product, the loop. All else has its own. So the first product of the
/// machine code takes the line of the first one in PTX, and so on:
///
///     PTX                                           SASS            table    here
///     17: wgmma.mma_async….m64n64k16.f32.f16.f16    HGMMA.64x64x16    9       17
///     18: wgmma.mma_async….m64n64k16.f32.f16.f16    HGMMA.64x64x16   12       18
///
/// `ptxLines`: of each line of `sass` that of `ptx`, -1: unknown. They are returned as they are where
/// there are not as many products in both texts, of the same shapes.
std::vector<int32_t> withProductLines(std::vector<int32_t> ptxLines, std::string_view sass,
                                      std::string_view ptx);

} // namespace tilescope::compiler
