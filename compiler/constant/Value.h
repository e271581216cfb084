// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/DiagnosticCause.h"
#include "compiler/constant/DType.h"
#include "compiler/constant/Int.h"

#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tilescope::compiler::constant {

class Value;

/// A value that this library does not know: a function, a module, a tensor. The owner derives from
/// it and finds its own objects again with `Value::as<T>()`.
class Extension {
public:
  virtual ~Extension() = default;
  /// As in Python's messages, e.g. `function`.
  virtual std::string typeName() const = 0;
  virtual std::string repr() const = 0;
  /// `==`; identity unless overridden.
  virtual bool equals(const Extension &other) const { return this == &other; }
  /// `bool(x)`.
  virtual bool truth() const { return true; }
};

/// A compile-time Python value. Immutable and cheap to copy; lists too, since nothing at compile
/// time changes them in place.
class Value {
public:
  enum class Kind {
    None,
    Bool,
    Int,
    Float,
    Str,
    Tuple,
    List,
    Set,
    Dict,
    /// `a:b:c` as an index; the three parts are `items()`.
    Slice,
    Ellipsis,
    DType,
    /// A builtin function or type, such as `len` or `int`; its name is `str()`.
    Builtin,
    Extension,
  };

  using Items = std::vector<Value>;
  using Entries = std::vector<std::pair<Value, Value>>;

  /// None.
  Value() = default;
  static Value none() { return {}; }
  static Value boolean(bool value);
  static Value integer(Int value);
  static Value integer(int64_t value) { return integer(Int(value)); }
  static Value real(double value);
  static Value string(std::string text);
  static Value tuple(Items items);
  static Value list(Items items);
  /// Duplicates are dropped; keeps the order of insertion.
  static Value set(Items items);
  /// Later entries replace earlier ones with an equal key.
  static Value dict(Entries entries);
  static Value slice(Value lower, Value upper, Value step);
  static Value ellipsis();
  static Value dtype(DType type);
  static Value builtin(std::string name);
  static Value extension(std::shared_ptr<const Extension> object);

  Kind kind() const { return m_kind; }
  bool isNone() const { return m_kind == Kind::None; }
  bool isBool() const { return m_kind == Kind::Bool; }
  /// A bool is an int in Python, but not here: ask `isInt() || isBool()`.
  bool isInt() const { return m_kind == Kind::Int; }
  bool isFloat() const { return m_kind == Kind::Float; }
  bool isNumber() const { return isBool() || isInt() || isFloat(); }
  bool isStr() const { return m_kind == Kind::Str; }
  bool isTuple() const { return m_kind == Kind::Tuple; }
  bool isList() const { return m_kind == Kind::List; }
  bool isSequence() const { return isTuple() || isList(); }
  bool isDict() const { return m_kind == Kind::Dict; }
  bool isDType() const { return m_kind == Kind::DType; }
  bool isBuiltin() const { return m_kind == Kind::Builtin; }
  bool isExtension() const { return m_kind == Kind::Extension; }

  /// The accessors require the kind.
  bool boolean() const { return std::get<bool>(m_data); }
  /// Of an Int or a Bool.
  Int integer() const;
  double real() const { return std::get<double>(m_data); }
  /// Of a Str or a Builtin.
  const std::string &str() const { return *std::get<Shared<std::string>>(m_data); }
  /// Of a Tuple, List, Set or Slice.
  const Items &items() const { return *std::get<Shared<Items>>(m_data); }
  const Entries &entries() const { return *std::get<Shared<Entries>>(m_data); }
  const DType &dtype() const { return *std::get<Shared<DType>>(m_data); }
  const Extension &extension() const { return *std::get<Shared<Extension>>(m_data); }
  std::shared_ptr<const Extension> sharedExtension() const {
    return std::get<Shared<Extension>>(m_data);
  }
  /// The extension as a T, or null when it is none.
  template <typename T> const T *as() const {
    return isExtension() ? dynamic_cast<const T *>(&extension()) : nullptr;
  }

  /// Of a number as a 64-bit integer, when it is an Int or Bool that fits.
  std::optional<int64_t> toInt64() const;

  /// Python's type name, e.g. `int`, `NoneType`.
  std::string typeName() const;

private:
  template <typename T> using Shared = std::shared_ptr<const T>;
  using Data = std::variant<std::monostate, bool, Int, double, Shared<std::string>, Shared<Items>,
                            Shared<Entries>, Shared<DType>, Shared<Extension>>;

  template <typename T> Value(Kind kind, T data) : m_kind(kind), m_data(std::move(data)) {}

  Kind m_kind = Kind::None;
  Data m_data;
};

/// What Python would raise.
struct PythonError {
  /// E.g. `TypeError`.
  std::string type;
  std::string message;
  DiagnosticCause cause = {};
  /// `TypeError: …`
  std::string text() const { return message.empty() ? type : type + ": " + message; }
};

/// A T or what Python would raise instead.
template <typename T> class [[nodiscard]] OrError {
public:
  OrError(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  OrError(PythonError error) : m_state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return m_state.index() == 0; }
  const T &operator*() const & { return value(); }
  T &&operator*() && { return std::move(std::get<0>(m_state)); }
  const T *operator->() const { return &value(); }
  const T &value() const {
    assert(*this && "no value, but an error");
    return std::get<0>(m_state);
  }
  const PythonError &error() const {
    assert(!*this && "no error, but a value");
    return std::get<1>(m_state);
  }

private:
  std::variant<T, PythonError> m_state;
};

using ValueOrError = OrError<Value>;

/// Keyword arguments of a call, in source order.
using Keywords = std::vector<std::pair<std::string, Value>>;

} // namespace tilescope::compiler::constant
