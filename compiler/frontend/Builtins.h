// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The functions of `tl` that the frontend emits itself: a table of name, parameters and emitter.
// One file per family defines a part of it.
#pragma once

#include "compiler/frontend/Emitter.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

class BuiltinCall;

struct Builtin {
  /// As in `tl`; with a prefix for the members of other things: `builtins.len`, `descriptor.load`.
  const char *name;
  /// As in a Python signature: `pointer, mask=None, *rest, keep_dims=False`.
  const char *parameters;
  Value (*emit)(BuiltinCall &call);
  /// Also `x.name(...)` of a run-time value.
  bool isMethod = false;
};

/// The function of that name, or null.
const Builtin *findBuiltin(std::string_view name);
/// All of them.
std::span<const Builtin *const> allBuiltins();
/// Whether a function of the prelude is a method of run-time values too, e.g. `x.sum()`.
bool isPreludeMethod(std::string_view name);

/// A parameter of a builtin.
struct Parameter {
  std::string name;
  std::optional<constant::Value> defaultValue;
  /// `*name`
  bool isVariadic = false;
};
const std::vector<Parameter> &parametersOf(const Builtin &builtin);

/// The arguments of one call, by position of the parameter.
class BuiltinCall {
public:
  BuiltinCall(Emitter &emitter, const Builtin &builtin, std::vector<CallArgument> arguments,
              SourceRange range);

  Emitter &emitter;
  TensorOps &ops;
  const Builtin &builtin;
  SourceRange range;

  const Value &operator[](size_t parameter) const { return m_values[parameter]; }
  SourceRange rangeOf(size_t parameter) const { return m_ranges[parameter]; }
  bool isNone(size_t parameter) const { return m_values[parameter].isNone(); }
  bool isGiven(size_t parameter) const { return m_isGiven[parameter]; }

  // Each fails, at the argument, when it is something else.
  /// A run-time value; numbers become one.
  Tensor tensor(size_t parameter) const;
  const constant::Value &constant(size_t parameter, Need need = Need::Constexpr) const;
  int64_t integer(size_t parameter) const;
  bool boolean(size_t parameter) const;
  std::string string(size_t parameter) const;
  ScalarType dtype(size_t parameter) const;
  /// Constexpr integers: one, a tuple, or the arguments of a variadic parameter.
  std::vector<int64_t> integers(size_t parameter, Need need = Need::Constexpr) const;
  /// The same, checked to be the shape of a block.
  Shape shape(size_t parameter) const;
  std::vector<Value> items(size_t parameter) const;
  /// An axis of a block of that rank, made non-negative.
  int64_t axis(size_t parameter, int64_t rank) const;

  /// Fails at the argument.
  [[noreturn]] void fail(size_t parameter, DiagnosticKind kind, Message message,
                         std::vector<std::string> notes = {},
                         std::vector<DiagnosticFix> fixes = {}) const;
  /// What `v` is of `v.store(p)`; empty where the call is no method of a value.
  std::string_view receiver() const;
  /// The source of an argument; empty where the user did not write it.
  std::string_view text(size_t parameter) const;
  std::string name() const;

private:
  /// Fails at the call, which lacks an argument.
  [[noreturn]] void failMissing(const std::string &parameter, size_t numArguments) const;
  /// Of -1 among the extents of a shape, which NumPy works out from the others.
  [[noreturn]] void failUnstated(size_t parameter, const std::vector<int64_t> &extents) const;
  void labelOrigins(Diagnostic &diagnostic) const;
  Message noSuchAxis(size_t parameter, int64_t axis, int64_t rank) const;

  std::vector<Value> m_values;
  std::vector<SourceRange> m_ranges;
  std::vector<bool> m_isGiven;
};

Value callBuiltin(Emitter &emitter, const Builtin &builtin, std::vector<CallArgument> arguments,
                  SourceRange range);

// The families.
std::span<const Builtin> programBuiltins();
std::span<const Builtin> shapeBuiltins();
std::span<const Builtin> memoryBuiltins();
std::span<const Builtin> atomicBuiltins();
std::span<const Builtin> blockPointerBuiltins();
std::span<const Builtin> descriptorBuiltins();
std::span<const Builtin> mathBuiltins();
std::span<const Builtin> reductionBuiltins();
std::span<const Builtin> dotBuiltins();
std::span<const Builtin> dotScaledBuiltins();
std::span<const Builtin> debugBuiltins();
std::span<const Builtin> externBuiltins();
std::span<const Builtin> pythonBuiltins();
std::span<const Builtin> targetBuiltins();

} // namespace tilescope::compiler::frontend
