// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tilescope::profiler {

/// `&`, `<`, `>` and quotes as HTML entities; control characters that HTML forbids are left out.
std::string escapeHtml(std::string_view text);

/// One line of IR or machine code as HTML: spans of class `k` (keyword, operation), `s` (string),
/// `n` (number), `c` (comment), `v` (value, register), `t` (type), `a` (attribute), `f` (function,
/// symbol).
std::string highlightLine(std::string_view line);

/// One line of a kernel file as HTML, with a span for each of its words.
std::string highlightWords(std::string_view line, std::span<const CodeWord> words);

/// The text of a line, from 0; empty behind the last.
std::string_view lineText(std::string_view source, uint32_t line);

} // namespace tilescope::profiler
