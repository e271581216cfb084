// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/Value.h"

#include "compiler/constant/Operators.h"

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

Value Value::set(Items items) {
  Items unique;
  for (Value &item : items) {
    bool known = false;
    for (const Value &other : unique)
      known = known || equal(item, other);
    if (!known)
      unique.push_back(std::move(item));
  }
  return Value(Kind::Set, share(std::move(unique)));
}

Value Value::dict(Entries entries) {
  Entries unique;
  for (auto &entry : entries) {
    bool known = false;
    for (auto &other : unique) {
      if (!equal(entry.first, other.first))
        continue;
      other.second = entry.second;
      known = true;
    }
    if (!known)
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
