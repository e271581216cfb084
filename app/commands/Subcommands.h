// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// What the first argument of the program stands for.
enum class FirstWord { Subcommand, WindowArgument, Mistyped };

/// A word that is neither a subcommand nor an option opens the window when it may be a file: one
/// that exists, or whose name has a folder or an ending.
FirstWord classifyFirstWord(std::string_view word);

/// What is wrong with a mistyped subcommand, with the nearest one as the hint.
Error unknownSubcommand(std::string_view word);

/// Of words that are no options of the window: the first that is none of the window system's either.
/// These begin with one dash or two: `-platform`, `--style`.
std::optional<Error> unknownWindowOption(const std::vector<std::string> &words);

} // namespace tilescope::app
