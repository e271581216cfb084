// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// Python's `repr` of a float: the shortest digits that read back as the same number.
std::string pythonRepr(double value);

/// Python's `repr` of a str given as UTF-8 (lone surrogates as their three-byte form).
std::string pythonRepr(std::string_view text);

/// Python's `repr` of bytes.
std::string pythonBytesRepr(std::string_view bytes);

/// Appends a code point as UTF-8; surrogates get their three-byte form.
void appendUtf8(std::string &text, char32_t codePoint);

/// Decodes the code point at `offset` and advances it by at least one byte. Bytes that are not
/// UTF-8 come back as U+FFFD.
char32_t decodeUtf8(std::string_view text, size_t &offset);

} // namespace tilescope::compiler
