// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>

namespace tilescope::app {

/// A page as PDF, printed by a browser of the Chromium family without a window: only a browser
/// draws the page's styles and its inline SVG as the page means them. The environment variable
/// `TILESCOPE_BROWSER` names one; else it is looked for on `PATH`. The error: there is none, or it
/// did not print.
Result<std::string> printPage(const std::string &html);

} // namespace tilescope::app
