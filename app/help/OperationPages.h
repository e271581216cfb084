// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/help/HelpPages.h"

namespace tilescope::app {

/// The operations that a file in TableGen defines with a summary, as they are written in IR:
/// `tt.load`, `ttg.convert_layout`.
std::vector<HelpPage> pagesOfOperations(std::string_view definitions);

/// The attributes that a file in TableGen defines with a summary, as they are written in IR:
/// `#ttg.blocked`, `#ttg.shared_memory`.
std::vector<HelpPage> pagesOfLayouts(std::string_view definitions);

} // namespace tilescope::app
