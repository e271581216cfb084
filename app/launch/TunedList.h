// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LaunchFacts.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::app {

/// The text of a kernel file with a configuration more in the list of its `@triton.autotune`; what
/// it leaves open is as in the list's first one. All other text stays. Nothing when the kernel has no
/// list that is written out in this file, or when it has the configuration already.
std::optional<std::string> withConfiguration(const std::string &text, std::string_view kernel,
                                             const compiler::Configuration &chosen);

} // namespace tilescope::app
