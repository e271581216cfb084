// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace tilescope::profiler {

/// Text as a field that spreadsheets show. Cells that begin like a formula get an apostrophe before
/// them, which means "this is text".
std::string csvField(const std::string &text);

} // namespace tilescope::profiler
