// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/Unicode.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace tilescope::compiler {

bool isPrintable(char32_t c) {
  if (c < 0x7f)
    return c >= ' ';
  switch (u_charType(static_cast<UChar32>(c))) {
  case U_UNASSIGNED:
  case U_CONTROL_CHAR:
  case U_FORMAT_CHAR:
  case U_SURROGATE:
  case U_PRIVATE_USE_CHAR:
  case U_LINE_SEPARATOR:
  case U_PARAGRAPH_SEPARATOR:
  case U_SPACE_SEPARATOR:
    return false;
  default:
    return true;
  }
}

/// Python looks at the first character of the normalized form only for the few compatibility
/// characters; XID properties already exclude the problematic ones.
bool isIdentifierStart(char32_t c) {
  if (c < 0x80)
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_XID_START);
}

bool isIdentifierContinue(char32_t c) {
  if (c < 0x80)
    return isIdentifierStart(c) || (c >= '0' && c <= '9');
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_XID_CONTINUE);
}

std::string normalizeIdentifier(std::string_view name) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2 *nfkc = icu::Normalizer2::getNFKCInstance(status);
  if (U_FAILURE(status))
    return std::string(name);
  auto piece = icu::StringPiece(name.data(), static_cast<int32_t>(name.size()));
  icu::UnicodeString normalized = nfkc->normalize(icu::UnicodeString::fromUTF8(piece), status);
  if (U_FAILURE(status))
    return std::string(name);
  std::string result;
  normalized.toUTF8String(result);
  return result;
}

std::optional<char32_t> characterByName(std::string_view name) {
  for (UCharNameChoice choice : {U_UNICODE_CHAR_NAME, U_CHAR_NAME_ALIAS}) {
    UErrorCode status = U_ZERO_ERROR;
    UChar32 c = u_charFromName(choice, std::string(name).c_str(), &status);
    if (U_SUCCESS(status))
      return static_cast<char32_t>(c);
  }
  return std::nullopt;
}

} // namespace tilescope::compiler
