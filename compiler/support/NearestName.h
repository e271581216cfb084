// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <span>
#include <string_view>

namespace tilescope {

/// The candidate that `name` is most likely a misspelling of; empty when none is near.
std::string_view closestName(std::string_view name, std::span<const std::string_view> candidates);

/// The same of the names in a list that commas separate: `dtype, shape`.
std::string_view closestInList(std::string_view name, std::string_view list);

} // namespace tilescope
