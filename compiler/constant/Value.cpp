// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/Value.h"

#include "compiler/constant/Operators.h"

#include <functional>
#include <unordered_map>

namespace tilescope::compiler::constant {

template <typename T> static std::shared_ptr<const T> share(T value) {
  return std::make_shared<const T>(std::move(value));
}

Value Value::boolean(bool value) { return Value(Kind::Bool, value); }
Value Value::integer(Int value) { return Value(Kind::Int, std::move(value)); }
Value Value::real(double value) { return Value(Kind::Float, value); }
Value Value::string(std::string text) { return Value(Kind::Str, share(std::move(text))); }
Value Value::tuple(Items items) { return Value(Kind::Tuple, share(std::move(items))); }
Value Value::list(Items items) { return Value(Kind::List, share(std::move(items))); }
Value Value::dtype(DType type) { return Value(Kind::DType, share(std::move(type))); }
Value Value::builtin(std::string name) { return Value(Kind::Builtin, share(std::move(name))); }
Value Value::ellipsis() { return Value(Kind::Ellipsis, std::monostate()); }
Value Value::extension(std::shared_ptr<const Extension> object) {
  return Value(Kind::Extension, std::move(object));
}
Value Value::slice(Value lower, Value upper, Value step) {
  return Value(Kind::Slice, share(Items{std::move(lower), std::move(upper), std::move(step)}));
}

namespace {
/// Finds equal values among those that were added, without comparing with each.
class KnownValues {
public:
  /// The number of an equal value that was added before; else nothing, and it is added as `number`.
  /// `at` returns the value of a number.
  template <typename At> std::optional<size_t> findOrAdd(const Value &value, At at, size_t number) {
    std::vector<size_t> &candidates = m_numbers[hash(value)];
    for (const size_t known : candidates)
      if (equal(at(known), value))
        return known;
    candidates.push_back(number);
    return std::nullopt;
  }

private:
  /// The same for values that are equal: `1`, `1.0` and `True`.
  static size_t hash(const Value &value) {
    if (value.isNumber())
      return std::hash<double>()(value.isFloat() ? value.real()
                                                 : value.integer().toDouble().value_or(0));
    if (value.isStr())
      return std::hash<std::string>()(value.str());
    auto seed = static_cast<size_t>(value.kind());
    if (value.isSequence())
      for (const Value &item : value.items())
        seed = seed * 31 + hash(item);
    return seed;
  }

  std::unordered_map<size_t, std::vector<size_t>> m_numbers;
};
} // namespace

Value Value::set(Items items) {
  Items unique;
  KnownValues known;
  const auto at = [&](size_t number) -> const Value & { return unique[number]; };
  for (Value &item : items)
    if (!known.findOrAdd(item, at, unique.size()))
      unique.push_back(std::move(item));
  return Value(Kind::Set, share(std::move(unique)));
}

Value Value::dict(Entries entries) {
  Entries unique;
  KnownValues known;
  const auto at = [&](size_t number) -> const Value & { return unique[number].first; };
  for (auto &entry : entries) {
    if (const auto before = known.findOrAdd(entry.first, at, unique.size()))
      unique[*before].second = entry.second;
    else
      unique.push_back(std::move(entry));
  }
  return Value(Kind::Dict, share(std::move(unique)));
}

Int Value::integer() const {
  if (m_kind == Kind::Bool)
    return Int(std::get<bool>(m_data) ? 1 : 0);
  return std::get<Int>(m_data);
}

std::optional<int64_t> Value::toInt64() const {
  return isInt() || isBool() ? integer().toInt64() : std::nullopt;
}

std::string Value::typeName() const {
  switch (m_kind) {
  case Kind::None:
    return "NoneType";
  case Kind::Bool:
    return "bool";
  case Kind::Int:
    return "int";
  case Kind::Float:
    return "float";
  case Kind::Str:
    return "str";
  case Kind::Tuple:
    return "tuple";
  case Kind::List:
    return "list";
  case Kind::Set:
    return "set";
  case Kind::Dict:
    return "dict";
  case Kind::Slice:
    return "slice";
  case Kind::Ellipsis:
    return "ellipsis";
  case Kind::DType:
    return dtype().isPointer() ? "pointer_type" : "dtype";
  case Kind::Builtin:
    return "builtin_function_or_method";
  case Kind::Extension:
    return extension().typeName();
  }
  return {};
}

} // namespace tilescope::compiler::constant
