// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/InputFile.h"
#include "profiler/analysis/Sweep.h"

#include <optional>

namespace tilescope::app {

/// The text with the winner's values in a launch block, and with one more configuration in the list of
/// `@triton.autotune` where there is one without it. All other text stays. `block`: the number of the
/// launch block.
Result<std::string> textWithWinner(const std::string &text, compiler::StageId entry,
                                   const std::string &kernel, size_t block,
                                   const profiler::SweepWinner &winner);

/// The number of the launch block of a text that a sweep is of; nothing: the text has none of its
/// name for its kernel.
std::optional<size_t> sweptBlock(const std::string &text, const profiler::Sweep &sweep);

} // namespace tilescope::app
