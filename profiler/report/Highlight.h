// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <string_view>

namespace tilescope::profiler {

/// `&`, `<`, `>` and quotes as HTML entities; control characters that HTML forbids are left out.
std::string escapeHtml(std::string_view text);

enum class CodeLanguage { Python, Ir };

/// One line of code as HTML: spans of class `k` (keyword, operation), `s` (string), `n` (number),
/// `c` (comment), `v` (value, register), `t` (type), `a` (attribute), `f` (function, symbol).
std::string highlightLine(std::string_view line, CodeLanguage language);

} // namespace tilescope::profiler
