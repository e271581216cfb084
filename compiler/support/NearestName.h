// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <span>
#include <string_view>

namespace tilescope {

/// The candidate that `name` is most likely a misspelling of; empty when none is near.
std::string_view closestName(std::string_view name, std::span<const std::string_view> candidates);

/// The candidate that is a beginning of `name`, or that `name` is one of, in words of small letters:
/// `offs` for `offset`; empty when there is none.
std::string_view shortenedName(std::string_view name, std::span<const std::string_view> candidates);

/// The candidate that differs from `name` in one letter that is typed twice, or once too few, however
/// short it is: `y` for `yy`; empty when there is none.
std::string_view repeatedName(std::string_view name, std::span<const std::string_view> candidates);

/// Whether one name is the other with more words behind it: `BLOCK` and `BLOCK_SIZE`.
bool extendsName(std::string_view one, std::string_view other);

/// Whether two names are of a row rather than misspelled: `x_ptr` and `y_ptr`, `stride_m` and
/// `stride_n`, `a1` and `a2`. One part between underscores, of a letter or two, or the number at its
/// end is another.
bool areSiblings(std::string_view one, std::string_view other);

/// The same of the names in a list that commas separate: `dtype, shape`.
std::string_view closestInList(std::string_view name, std::string_view list);

} // namespace tilescope
