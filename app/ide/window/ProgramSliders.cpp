// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/ProgramSliders.h"

#include "views/access/AccessView.h"
#include "views/programs/ProgramsView.h"

#include <array>

namespace tilescope::app {

/// One for each dimension, or one for all.
static constexpr const char *kProgramSliders[] = {"Program x", "y", "z"};
static constexpr const char *kProgramSlider = "Program";

HeldSliders::Wishes programWishes(const std::vector<int64_t> &program,
                                  const views::AccessView *access) {
  HeldSliders::Wishes wishes;
  if (program.empty())
    return wishes;
  std::array<int32_t, 3> at{};
  for (size_t i = 0; i < program.size(); ++i)
    at[i] = static_cast<int32_t>(program[i]);
  for (size_t i = 0; i < at.size(); ++i)
    wishes[QString::fromLatin1(kProgramSliders[i])] = [number = at[i]] {
      return std::optional(number);
    };
  // The order of the dimensions is that of the grid.
  wishes[QString::fromLatin1(kProgramSlider)] = [access, at]() -> std::optional<int> {
    const auto grid = access->grid();
    return grid ? std::optional(static_cast<int>(compiler::access::programNumber(at, *grid)))
                : std::nullopt;
  };
  return wishes;
}

} // namespace tilescope::app
