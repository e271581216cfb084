// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a name of a kernel can mean other than data: functions, modules, types. They are constexprs.
#pragma once

#include "compiler/constant/Value.h"
#include "compiler/syntax/Ast.h"

#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

struct Builtin;
struct SourceModule;

/// A function of some source file.
struct FunctionObject final : constant::Extension {
  enum class Kind {
    /// `@triton.jit`
    Jit,
    /// `@triton.constexpr_function`: runs while compiling, on constexprs only.
    Constexpr,
    /// Without a decorator of Triton's: cannot be called from a kernel.
    Plain,
  };

  /// `module`: where its names are looked up.
  FunctionObject(const SourceModule &module, const ast::FunctionDef &definition, Kind kind,
                 bool isNoinline = false, bool isStatic = true)
      : module(module), definition(definition), kind(kind), isNoinline(isNoinline),
        isStatic(isStatic) {}
  std::string typeName() const override { return "function"; }
  std::string repr() const override { return "<function " + std::string(definition.name) + ">"; }

  const SourceModule &module;
  const ast::FunctionDef &definition;
  Kind kind;
  bool isNoinline;
  /// Not a method that gets the object it is called on.
  bool isStatic;
};

/// A function of `tl` that the frontend itself knows how to emit.
struct BuiltinObject final : constant::Extension {
  explicit BuiltinObject(const Builtin &builtin) : builtin(builtin) {}
  std::string typeName() const override { return "function"; }
  std::string repr() const override;
  bool equals(const Extension &other) const override {
    const auto *object = dynamic_cast<const BuiltinObject *>(&other);
    return object && &object->builtin == &builtin;
  }

  const Builtin &builtin;
};

/// A library function chosen by the types of its arguments, e.g. `libdevice.tanh`.
struct LibdeviceObject final : constant::Extension {
  explicit LibdeviceObject(std::string name) : name(std::move(name)) {}
  std::string typeName() const override { return "function"; }
  std::string repr() const override { return "<function libdevice." + name + ">"; }
  bool equals(const Extension &other) const override {
    const auto *object = dynamic_cast<const LibdeviceObject *>(&other);
    return object && object->name == name;
  }

  std::string name;
};

/// A function that Python itself would run, on constexprs: `math.sqrt`.
struct HostFunctionObject final : constant::Extension {
  explicit HostFunctionObject(std::string path) : path(std::move(path)) {}
  std::string typeName() const override { return "function"; }
  std::string repr() const override { return "<function " + path + ">"; }

  std::string path;
};

/// A class of some source file: named tuples and aggregates can be made in a kernel, and every
/// class holds functions and constants.
struct ClassObject final : constant::Extension {
  enum class Kind { Plain, NamedTuple, Aggregate };

  std::string typeName() const override { return "type"; }
  std::string repr() const override { return "<class " + name + ">"; }
  bool equals(const Extension &other) const override {
    const auto *object = dynamic_cast<const ClassObject *>(&other);
    return object && object->scope == scope && object->name == name;
  }

  std::string name;
  Kind kind = Kind::Plain;
  /// Its body; null for `namedtuple(...)`.
  const SourceModule *scope = nullptr;
  std::vector<std::string> fields;
  /// Of the fields, null where there is none.
  std::vector<const ast::Expr *> defaults;
};

/// A module that is not written in source: `triton`, `triton.language`, `math`, and those of other
/// packages, which have no members here.
struct ModuleObject final : constant::Extension {
  explicit ModuleObject(std::string path) : path(std::move(path)) {}
  /// One of Triton's or of Python's own; what any other holds is known only from its source.
  bool isKnown() const {
    bool isTriton = path == "triton" || path.starts_with("triton.");
    return (isTriton && !path.starts_with("triton.tools")) || path == "math";
  }
  std::string typeName() const override {
    return isKnown() ? "module" : "`" + path + "`, whose source was not found";
  }
  std::string repr() const override {
    // PyTorch's types are written as they are called: `str(torch.float16).split(".")`.
    const bool isType =
        path.starts_with("torch.") && constant::dtypeFromLanguageName(path.substr(6));
    return isType ? path : "<module " + path + ">";
  }
  bool equals(const Extension &other) const override {
    const auto *object = dynamic_cast<const ModuleObject *>(&other);
    return object && object->path == path;
  }

  std::string path;
};

inline constant::Value moduleValue(std::string path) {
  return constant::Value::extension(std::make_shared<ModuleObject>(std::move(path)));
}

/// A module in source.
struct SourceModuleObject final : constant::Extension {
  explicit SourceModuleObject(const SourceModule &module) : module(module) {}
  std::string typeName() const override { return "module"; }
  std::string repr() const override;

  const SourceModule &module;
};

/// A type or enumeration of `tl` that is not a dtype: `constexpr`, `tensor`, `PropagateNan`, …
struct TypeObject final : constant::Extension {
  explicit TypeObject(std::string name) : name(std::move(name)) {}
  std::string typeName() const override { return "type"; }
  std::string repr() const override { return "<class tl." + name + ">"; }
  bool equals(const Extension &other) const override {
    const auto *object = dynamic_cast<const TypeObject *>(&other);
    return object && object->name == name;
  }

  std::string name;
};

} // namespace tilescope::compiler::frontend
