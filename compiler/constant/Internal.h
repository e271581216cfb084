// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Shared by the sources of this folder.
#pragma once

#include "compiler/constant/Value.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilescope::compiler::constant {

/// Sequences longer than this are refused at compile time.
inline constexpr int64_t kMaxElements = 1'000'000;
/// And larger ints: `1 << 10**9` would freeze the caller.
inline constexpr int64_t kMaxIntBits = 100'000;

inline PythonError typeError(std::string message) { return {"TypeError", std::move(message)}; }
/// Of operands that do not support what is done with them.
inline PythonError typeError(std::string message, Need need,
                             std::initializer_list<const Value *> operands) {
  const bool namesNone =
      std::ranges::any_of(operands, [](const Value *operand) { return operand->isNone(); });
  return {"TypeError", std::move(message), {.need = need, .namesNone = namesNone}};
}
inline PythonError nameError(std::string_view name) {
  return {"NameError",
          "name '" + std::string(name) + "' is not defined",
          {.subject = std::string(name)}};
}
inline PythonError valueError(std::string message) { return {"ValueError", std::move(message)}; }
inline PythonError zeroDivision(std::string message) {
  return {"ZeroDivisionError", std::move(message)};
}
inline PythonError overflow(std::string message) { return {"OverflowError", std::move(message)}; }
inline PythonError tooLarge() {
  return {"MemoryError", "the result is too large to compute at compile time"};
}
/// `'int'`
inline std::string quotedType(const Value &value) { return "'" + value.typeName() + "'"; }

/// What a call passes under that name; nothing: it does not.
inline std::optional<Value> findKeyword(const Keywords &keywords, std::string_view name) {
  for (const auto &[key, value] : keywords)
    if (key == name)
      return value;
  return std::nullopt;
}

/// An int or bool.
inline bool isIntegral(const Value &value) { return value.isInt() || value.isBool(); }

/// A number as a double; an error when an int is out of range. Requires `isNumber()`.
OrError<double> toDouble(const Value &value);

/// The code points of a str.
std::u32string codePoints(std::string_view text);
std::string fromCodePoints(std::u32string_view codePoints);

/// A method of str; nothing where there is none of that name for so many arguments.
std::optional<ValueOrError> strMethod(const Value &value, std::string_view name,
                                      const Value::Items &args, const Keywords &keywords);

/// What a slice selects of a sequence of `length` elements: `count` indices from `start` by `step`.
struct SliceRange {
  int64_t start = 0;
  int64_t step = 1;
  int64_t count = 0;
};
OrError<SliceRange> resolveSlice(const Value &slice, int64_t length);

} // namespace tilescope::compiler::constant
