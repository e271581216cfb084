// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Subcommands.h"

#include "compiler/support/NearestName.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace tilescope::app {

static constexpr std::array<std::string_view, 15> kSubcommands{
    "check", "compile", "package", "run",   "profile", "report", "inspect", "compare",
    "bench", "sweep",   "lesson",  "grade", "gpus",    "hosts",  "help"};

FirstWord classifyFirstWord(std::string_view word) {
  if (std::ranges::find(kSubcommands, word) != kSubcommands.end() || word == "--help" ||
      word == "-h" || word == "--version")
    return FirstWord::Subcommand;
  std::error_code error;
  const bool mayBeFile = word.find_first_of("./") != std::string_view::npos ||
                         std::filesystem::exists(std::filesystem::path(word), error);
  return word.starts_with('-') || mayBeFile ? FirstWord::WindowArgument : FirstWord::Mistyped;
}

Error unknownSubcommand(std::string_view word) {
  Error error{ErrorCode::Usage, "`" + std::string(word) + "` is neither a command nor a file",
              "the commands are check, compile, package, run, profile, report, inspect, compare, "
              "bench, sweep, lesson, grade, gpus, hosts and help; without one the window opens"};
  if (const std::string_view nearest = closestName(word, kSubcommands); !nearest.empty())
    error.hint = "did you mean `" + std::string(nearest) + "`?";
  return error;
}

} // namespace tilescope::app
