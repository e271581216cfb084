// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::profiler {

/// The offset of the first byte that is not part of well-formed UTF-8.
std::optional<size_t> firstInvalidUtf8(std::string_view text);

/// Text that a terminal shows and does not obey: control characters, marks that change the
/// direction of writing and bytes that are not UTF-8 appear as `\x1b`, `\u202e`. Tabs and line
/// breaks stay.
std::string printable(std::string_view text);
/// The same for what belongs on one line: line breaks and tabs are escaped, too.
std::string printableLine(std::string_view text);

} // namespace tilescope::profiler
