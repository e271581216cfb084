// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ExtentSets.h"

#include <algorithm>

namespace tilescope::app {

/// Each set has kernels and a graph of its own on the device.
static constexpr size_t kMostSets = 64;

/// The choices of one `NAME=VALUE,VALUE…`; what has no `=` is one choice, which reading the model refuses.
static Result<std::vector<std::string>> choicesOf(const std::string &extent) {
  // Names may hold `=` themselves.
  const size_t equals = extent.rfind('=');
  if (equals == std::string::npos)
    return std::vector{extent};
  const std::string name = extent.substr(0, equals + 1);
  std::vector<std::string> choices;
  for (size_t begin = equals + 1; begin <= extent.size();) {
    const size_t end = std::min(extent.find(',', begin), extent.size());
    std::string choice = name + extent.substr(begin, end - begin);
    if (end == begin)
      return Error{ErrorCode::Usage, "`--dim " + extent + "`: a number is missing",
                   "`--dim " + name + "1,8` exports the model for 1 and for 8"};
    if (std::ranges::find(choices, choice) != choices.end())
      return Error{ErrorCode::Usage, "`--dim " + extent + "`: `" + choice + "` is there twice", ""};
    choices.push_back(std::move(choice));
    begin = end + 1;
  }
  return choices;
}

Result<std::vector<std::vector<std::string>>> extentSets(const std::vector<std::string> &extents) {
  std::vector<std::vector<std::string>> sets(1);
  for (const std::string &extent : extents) {
    const auto choices = choicesOf(extent);
    if (!choices)
      return choices.error();
    if (sets.size() * choices->size() > kMostSets)
      return Error{ErrorCode::Usage,
                   "`--dim` asks for more than " + std::to_string(kMostSets) + " sets of shapes",
                   "each number of an extent goes together with each number of the others"};
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string> &set : sets)
      for (const std::string &choice : *choices) {
        longer.push_back(set);
        longer.back().push_back(choice);
      }
    sets = std::move(longer);
  }
  return sets;
}

std::string joinedTexts(const std::vector<std::string> &extents) {
  std::string text;
  for (const std::string &extent : extents)
    text += (text.empty() ? "" : ", ") + extent;
  return text;
}

} // namespace tilescope::app
