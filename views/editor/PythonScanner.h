// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::views {

/// What a stretch of a kernel file is, as far as colours care.
enum class TokenKind : uint8_t {
  Plain,
  Keyword,
  Builtin,
  /// `tl`, `triton` and what is reached through them.
  LanguageName,
  Decorator,
  FunctionName,
  /// A `tl.constexpr` parameter of the enclosing function.
  Constexpr,
  /// Another parameter of the enclosing function.
  Argument,
  Local,
  String,
  Number,
  Comment,
  Operator,
  /// The launch block: a comment that the program reads.
  BlockComment,
  BlockKey,
  BlockValue,
};
inline constexpr int kNumTokenKinds = static_cast<int>(TokenKind::BlockValue) + 1;

/// A stretch of the text, in bytes.
struct ScannedToken {
  uint32_t begin = 0;
  uint32_t length = 0;
  TokenKind kind = TokenKind::Plain;
  bool operator==(const ScannedToken &) const = default;
  uint32_t end() const { return begin + length; }
};

struct ScannedParameter {
  std::string name;
  bool isConstexpr = false;
  bool operator==(const ScannedParameter &) const = default;
};

/// A function definition: the lines of its body are those indented deeper than it.
struct ScannedFunction {
  std::string name;
  std::vector<ScannedParameter> parameters;
  uint32_t nameOffset = 0;
  /// Bytes from `def` to the end of the body.
  uint32_t begin = 0;
  uint32_t end = 0;
  bool isKernel = false;
};

/// A kernel file as an editor needs it while it is being typed: forgiving, and fast enough for
/// every keystroke. The compiler's own parser decides what is correct.
struct ScannedText {
  /// In order, not overlapping; white space is not covered.
  std::vector<ScannedToken> tokens;
  std::vector<ScannedFunction> functions;
  /// Names that stand for `triton.language`, usually `tl`.
  std::vector<std::string> languageAliases;
  /// All names that are assigned somewhere, sorted.
  std::vector<std::string> assignedNames;
};

ScannedText scanPython(std::string_view text);

/// The innermost function whose definition contains the byte, or null.
const ScannedFunction *functionAt(const ScannedText &scanned, uint32_t offset);

} // namespace tilescope::views
