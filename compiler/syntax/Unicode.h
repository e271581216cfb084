// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// Whether Python's `repr` shows the character as itself.
bool isPrintable(char32_t c);

/// Whether an identifier may begin with the character, or go on with it.
bool isIdentifierStart(char32_t c);
bool isIdentifierContinue(char32_t c);

/// The form in which Python compares identifiers (NFKC). `name` is UTF-8.
std::string normalizeIdentifier(std::string_view name);

/// The character of `\N{name}`.
std::optional<char32_t> characterByName(std::string_view name);

} // namespace tilescope::compiler
