// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <string_view>

namespace tilescope::app {

/// The one change that makes `after` of `before`, both of which are texts of the first file.
compiler::DiagnosticFix changeBetween(std::string_view before, std::string_view after,
                                      std::string title);

} // namespace tilescope::app
