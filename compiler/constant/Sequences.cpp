// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Comparison, truth, indexing, iteration.
#include "compiler/constant/Internal.h"
#include "compiler/constant/Operators.h"
#include "compiler/syntax/PythonText.h"

#include <algorithm>
#include <cmath>

namespace tilescope::compiler::constant {

using ast::CompareOpKind;
using Kind = Value::Kind;

std::u32string codePoints(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (size_t offset = 0; offset < text.size();)
    result += decodeUtf8(text, offset);
  return result;
}

std::string fromCodePoints(std::u32string_view codePoints) {
  std::string result;
  for (char32_t c : codePoints)
    appendUtf8(result, c);
  return result;
}

bool truth(const Value &value) {
  switch (value.kind()) {
  case Kind::None:
    return false;
  case Kind::Bool:
    return value.boolean();
  case Kind::Int:
    return !value.integer().isZero();
  case Kind::Float:
    return value.real() != 0;
  case Kind::Str:
    return !value.str().empty();
  case Kind::Tuple:
  case Kind::List:
  case Kind::Set:
    return !value.items().empty();
  case Kind::Dict:
    return !value.entries().empty();
  case Kind::Extension:
    return value.extension().truth();
  default:
    return true;
  }
}

/// Exact order of an int and a double, unordered for NaN.
static std::partial_ordering compareIntFloat(const Int &a, double b) {
  if (std::isnan(b))
    return std::partial_ordering::unordered;
  if (std::isinf(b))
    return b > 0 ? std::partial_ordering::less : std::partial_ordering::greater;
  Int whole = *Int::fromDouble(b);
  std::strong_ordering order = a <=> whole;
  if (order != std::strong_ordering::equal)
    return order;
  return 0.0 <=> (b - std::trunc(b));
}

static std::partial_ordering compareNumbers(const Value &a, const Value &b) {
  if (a.isFloat() && b.isFloat())
    return a.real() <=> b.real();
  if (a.isFloat()) {
    std::partial_ordering order = compareIntFloat(b.integer(), a.real());
    return 0 <=> order;
  }
  if (b.isFloat())
    return compareIntFloat(a.integer(), b.real());
  return a.integer() <=> b.integer();
}

static bool equalItems(const Value::Items &a, const Value::Items &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

static bool contains(const Value::Items &items, const Value &item) {
  return std::any_of(items.begin(), items.end(),
                     [&](const Value &other) { return equal(other, item); });
}

bool equal(const Value &a, const Value &b) {
  if (a.isNumber() && b.isNumber())
    return compareNumbers(a, b) == std::partial_ordering::equivalent;
  if (a.kind() != b.kind())
    return false;
  switch (a.kind()) {
  case Kind::None:
  case Kind::Ellipsis:
    return true;
  case Kind::Str:
  case Kind::Builtin:
    return a.str() == b.str();
  case Kind::Tuple:
  case Kind::List:
  case Kind::Slice:
    return equalItems(a.items(), b.items());
  case Kind::Set:
    return a.items().size() == b.items().size() &&
           std::all_of(a.items().begin(), a.items().end(),
                       [&](const Value &item) { return contains(b.items(), item); });
  case Kind::Dict:
    return a.entries().size() == b.entries().size() &&
           std::all_of(a.entries().begin(), a.entries().end(), [&](const auto &entry) {
             return std::any_of(b.entries().begin(), b.entries().end(), [&](const auto &other) {
               return equal(entry.first, other.first) && equal(entry.second, other.second);
             });
           });
  case Kind::DType:
    return a.dtype() == b.dtype();
  case Kind::Extension:
    return a.extension().equals(b.extension());
  default:
    return false;
  }
}

bool identical(const Value &a, const Value &b) {
  if (a.kind() != b.kind())
    return false;
  switch (a.kind()) {
  case Kind::Extension:
    return &a.extension() == &b.extension();
  case Kind::List:
  case Kind::Set:
  case Kind::Dict:
    return false;
  case Kind::Tuple:
    return &a.items() == &b.items() || (a.items().empty() && b.items().empty());
  default:
    return equal(a, b);
  }
}

/// Which of `<`, `<=`, `>`, `>=` an ordering satisfies.
static bool satisfies(CompareOpKind op, std::partial_ordering order) {
  switch (op) {
  case CompareOpKind::Lt:
    return order < 0;
  case CompareOpKind::LtE:
    return order <= 0;
  case CompareOpKind::Gt:
    return order > 0;
  default:
    return order >= 0;
  }
}

static ValueOrError applyOrder(CompareOpKind op, const Value &left, const Value &right) {
  if (left.isNumber() && right.isNumber())
    return Value::boolean(satisfies(op, compareNumbers(left, right)));
  if (left.isStr() && right.isStr()) {
    // UTF-8 sorts as code points do.
    int order = left.str().compare(right.str());
    return Value::boolean(satisfies(op, order <=> 0));
  }
  if (left.isSequence() && left.kind() == right.kind()) {
    const Value::Items &a = left.items(), &b = right.items();
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (!equal(a[i], b[i]))
        return applyOrder(op, a[i], b[i]);
    return Value::boolean(satisfies(op, a.size() <=> b.size()));
  }
  if (left.kind() == Kind::Set && right.kind() == Kind::Set) {
    auto isSubset = [](const Value &a, const Value &b) {
      return std::all_of(a.items().begin(), a.items().end(),
                         [&](const Value &item) { return contains(b.items(), item); });
    };
    bool sameSize = left.items().size() == right.items().size();
    bool strict = op == CompareOpKind::Lt || op == CompareOpKind::Gt;
    bool forward = op == CompareOpKind::Lt || op == CompareOpKind::LtE;
    return Value::boolean((forward ? isSubset(left, right) : isSubset(right, left)) &&
                          !(strict && sameSize));
  }
  return typeError("'" + std::string(ast::opText(op)) + "' not supported between instances of " +
                       quotedType(left) + " and " + quotedType(right),
                   Need::Nothing, {&left, &right});
}

static ValueOrError applyContains(const Value &item, const Value &container) {
  switch (container.kind()) {
  case Kind::Str:
    if (!item.isStr())
      return typeError("'in <string>' requires string as left operand, not " + item.typeName());
    return Value::boolean(container.str().find(item.str()) != std::string::npos);
  case Kind::Tuple:
  case Kind::List:
  case Kind::Set:
    return Value::boolean(contains(container.items(), item));
  case Kind::Dict:
    for (const auto &entry : container.entries())
      if (equal(entry.first, item))
        return Value::boolean(true);
    return Value::boolean(false);
  default:
    return typeError("argument of type " + quotedType(container) + " is not iterable",
                     Need::Sequence, {&container});
  }
}

ValueOrError applyCompare(CompareOpKind op, const Value &left, const Value &right) {
  switch (op) {
  case CompareOpKind::Eq:
    return Value::boolean(equal(left, right));
  case CompareOpKind::NotEq:
    return Value::boolean(!equal(left, right));
  case CompareOpKind::Is:
    return Value::boolean(identical(left, right));
  case CompareOpKind::IsNot:
    return Value::boolean(!identical(left, right));
  case CompareOpKind::In:
    return applyContains(left, right);
  case CompareOpKind::NotIn: {
    ValueOrError found = applyContains(left, right);
    if (!found)
      return found;
    return Value::boolean(!found->boolean());
  }
  default:
    return applyOrder(op, left, right);
  }
}

OrError<SliceRange> resolveSlice(const Value &slice, int64_t length) {
  const Value::Items &parts = slice.items();
  for (const Value &part : parts)
    if (!part.isNone() && !isIntegral(part))
      return typeError("slice indices must be integers or None or have an __index__ method");
  // Indices beyond 64 bits act like the largest ones.
  auto clamp = [](const Value &part, int64_t missing) {
    if (part.isNone())
      return missing;
    static constexpr int64_t kFar = int64_t(1) << 60;
    std::optional<int64_t> value = part.toInt64();
    if (!value)
      return part.integer().isNegative() ? -kFar : kFar;
    return std::clamp(*value, -kFar, kFar);
  };
  SliceRange range;
  range.step = clamp(parts[2], 1);
  if (range.step == 0)
    return valueError("slice step cannot be zero");
  bool backward = range.step < 0;
  auto bound = [&](const Value &part, int64_t missing) {
    int64_t low = backward ? -1 : 0, high = backward ? length - 1 : length;
    if (part.isNone())
      return missing;
    int64_t value = clamp(part, 0);
    return std::clamp(value < 0 ? value + length : value, low, high);
  };
  range.start = bound(parts[0], backward ? length - 1 : 0);
  int64_t stop = bound(parts[1], backward ? -1 : length);
  int64_t distance = backward ? range.start - stop : stop - range.start;
  int64_t stride = backward ? -range.step : range.step;
  range.count = distance > 0 ? (distance + stride - 1) / stride : 0;
  return range;
}

template <typename Sequence>
static OrError<Sequence> take(const Sequence &sequence, const Value &slice) {
  OrError<SliceRange> range = resolveSlice(slice, static_cast<int64_t>(sequence.size()));
  if (!range)
    return range.error();
  Sequence result;
  for (int64_t i = 0; i < range->count; ++i)
    result.push_back(sequence[range->start + i * range->step]);
  return result;
}

static OrError<size_t> resolveIndex(const Value &index, size_t size, const std::string &type) {
  if (!isIntegral(index)) {
    if (type == "string")
      return typeError("string indices must be integers, not " + quotedType(index));
    return typeError(type + " indices must be integers or slices, not " + index.typeName());
  }
  std::optional<int64_t> position = index.toInt64();
  int64_t length = static_cast<int64_t>(size);
  if (position && *position < 0)
    *position += length;
  if (!position || *position < 0 || *position >= length)
    return PythonError{"IndexError", type + " index out of range"};
  return static_cast<size_t>(*position);
}

ValueOrError subscript(const Value &value, const Value &index) {
  bool isSlice = index.kind() == Kind::Slice;
  if (value.isStr()) {
    std::u32string text = codePoints(value.str());
    if (isSlice) {
      OrError<std::u32string> taken = take(text, index);
      if (!taken)
        return taken.error();
      return Value::string(fromCodePoints(*taken));
    }
    OrError<size_t> position = resolveIndex(index, text.size(), "string");
    if (!position)
      return position.error();
    return Value::string(fromCodePoints(text.substr(*position, 1)));
  }
  if (value.isSequence()) {
    if (isSlice) {
      OrError<Value::Items> taken = take(value.items(), index);
      if (!taken)
        return taken.error();
      return value.isTuple() ? Value::tuple(*taken) : Value::list(*taken);
    }
    OrError<size_t> position = resolveIndex(index, value.items().size(), value.typeName());
    if (!position)
      return position.error();
    return value.items()[*position];
  }
  if (value.isDict()) {
    for (const auto &entry : value.entries())
      if (equal(entry.first, index))
        return entry.second;
    return PythonError{"KeyError", repr(index)};
  }
  return typeError(quotedType(value) + " object is not subscriptable", Need::Sequence, {&value});
}

OrError<Value::Items> iterate(const Value &value) {
  switch (value.kind()) {
  case Kind::Tuple:
  case Kind::List:
  case Kind::Set:
    return value.items();
  case Kind::Dict: {
    Value::Items keys;
    for (const auto &entry : value.entries())
      keys.push_back(entry.first);
    return keys;
  }
  case Kind::Str: {
    Value::Items characters;
    for (char32_t c : codePoints(value.str()))
      characters.push_back(Value::string(fromCodePoints(std::u32string(1, c))));
    return characters;
  }
  default:
    return typeError(quotedType(value) + " object is not iterable", Need::Sequence, {&value});
  }
}

OrError<int64_t> length(const Value &value) {
  switch (value.kind()) {
  case Kind::Tuple:
  case Kind::List:
  case Kind::Set:
    return static_cast<int64_t>(value.items().size());
  case Kind::Dict:
    return static_cast<int64_t>(value.entries().size());
  case Kind::Str:
    return static_cast<int64_t>(codePoints(value.str()).size());
  default:
    return typeError("object of type " + quotedType(value) + " has no len()", Need::Sequence,
                     {&value});
  }
}

} // namespace tilescope::compiler::constant
