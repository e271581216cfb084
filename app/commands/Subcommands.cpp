// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Subcommands.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <vector>

namespace tilescope::app {

static constexpr std::array<std::string_view, 6> kSubcommands{"check", "compile", "package",
                                                              "run",   "profile", "report"};

FirstWord classifyFirstWord(std::string_view word) {
  if (std::ranges::find(kSubcommands, word) != kSubcommands.end() || word == "--help" ||
      word == "-h" || word == "--version")
    return FirstWord::Subcommand;
  std::error_code error;
  const bool mayBeFile = word.find_first_of("./") != std::string_view::npos ||
                         std::filesystem::exists(std::filesystem::path(word), error);
  return word.starts_with('-') || mayBeFile ? FirstWord::WindowArgument : FirstWord::Mistyped;
}

/// The least number of letters to add, drop or replace.
static size_t distance(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < from.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < to.size(); ++j) {
      const size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

Error unknownSubcommand(std::string_view word) {
  // A long word is near nothing, and need not be compared.
  const std::string_view compared = word.substr(0, 20);
  const std::string_view *nearest = std::ranges::min_element(
      kSubcommands, {}, [&](std::string_view name) { return distance(compared, name); });
  Error error{ErrorCode::Usage, "`" + std::string(word) + "` is neither a command nor a file", ""};
  if (distance(compared, *nearest) <= 2)
    error.hint = "did you mean `" + std::string(*nearest) + "`?";
  else
    error.hint = "the commands are check, compile, package, run, profile and report; without one "
                 "the window opens";
  return error;
}

} // namespace tilescope::app
