// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What names stand for: locals, then globals of the file, then builtins. Attributes are in
// Attributes.cpp.
#include "compiler/constant/Builtins.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Classes.h"
#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/HostEnvironment.h"
#include "compiler/frontend/Libdevice.h"
#include "compiler/frontend/Portability.h"
#include "compiler/frontend/Prelude.h"
#include "compiler/frontend/Suggestions.h"
#include "compiler/syntax/JoinedLines.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

static Value builtinValue(const Builtin &builtin) {
  return constant::Value::extension(std::make_shared<BuiltinObject>(builtin));
}

static Value functionValue(const SourceModule &module, const ast::FunctionDef &definition) {
  DecoratorFacts facts = readDecorators(module, definition);
  auto kind = facts.isJit                 ? FunctionObject::Kind::Jit
              : facts.isConstexprFunction ? FunctionObject::Kind::Constexpr
                                          : FunctionObject::Kind::Plain;
  return constant::Value::extension(std::make_shared<FunctionObject>(
      namesOf(module), definition, kind, facts.isNoinline, !module.type || facts.isStatic));
}

/// Modules of `triton` that all have the members of `triton.language`.
static bool isLanguageModule(std::string_view path) {
  return path == "triton.language" || path == "triton.language.core" ||
         path == "triton.language.standard" || path == "triton.language.random" ||
         path == "triton.language.semantic";
}

/// `triton.language.extra.libdevice` and what it is called for every backend.
static bool isLibdeviceModule(std::string_view path) {
  return path.starts_with("triton.language.") && path.ends_with(".libdevice");
}

/// `triton.language.extra.cuda` and the like.
static bool isBackendModule(std::string_view path) {
  static constexpr std::string_view kExtra = "triton.language.extra.";
  return path.starts_with(kExtra) && path.find('.', kExtra.size()) == std::string_view::npos;
}

static std::optional<Value> languageMember(Emitter &emitter, std::string_view name) {
  if (std::optional<constant::DType> dtype = constant::dtypeFromLanguageName(name))
    return Value(constant::Value::dtype(*dtype));
  if (const Builtin *builtin = findBuiltin(name))
    return builtinValue(*builtin);
  if (const SourceModule *prelude = emitter.modules().preludeWith(name))
    return emitter.global(*prelude, name);
  for (std::string_view module :
       {"math", "extra", "core", "standard", "random", "libdevice", "target_info"})
    if (name == module)
      return moduleValue("triton.language." + std::string(name));
  for (std::string_view type :
       {"constexpr", "tensor", "tuple", "dtype", "const", "PropagateNan", "pointer_type",
        "block_type", "range", "static_range", "tensor_descriptor", "condition"})
    if (name == type)
      return Value(constant::Value::extension(std::make_shared<TypeObject>(std::string(name))));
  if (name == "CONSTEXPR_0")
    return Value::integer(0);
  if (name == "TRITON_MAX_TENSOR_NUMEL")
    return Value::integer(kMaxTensorElements);
  return std::nullopt;
}

static std::optional<Value> tritonMember(Emitter &emitter, std::string_view name) {
  if (name == "language")
    return moduleValue("triton.language");
  // The host's helpers compute the same for constexprs as those of the language.
  if (name == "cdiv")
    return languageMember(emitter, name);
  if (name == "next_power_of_2")
    return builtinValue(*findBuiltin(name));
  if (name == "constexpr_function")
    return Value(constant::Value::extension(
        std::make_shared<HostFunctionObject>("triton." + std::string(name))));
  return std::nullopt;
}

std::optional<Value> Emitter::member(const ModuleObject &module, std::string_view name) {
  std::string_view path = module.path;
  std::string whole = std::string(path) + "." + std::string(name);
  if (isHostPath(whole))
    return hostMember(whole, ops.rules());
  if (path == "triton")
    return tritonMember(*this, name);
  if (isLanguageModule(path))
    return languageMember(*this, name);
  bool isLibdevice = isLibdeviceModule(path);
  if (path == "triton.language.math" || isLibdevice) {
    // Old kernels find the whole of libdevice in `tl.math`.
    if (const Builtin *builtin = isLibdevice ? nullptr : findBuiltin(name))
      return builtinValue(*builtin);
    if (!isLibdevice && (name == "max" || name == "min"))
      return builtinValue(*findBuiltin(name == "max" ? "maximum" : "minimum"));
    if (hasLibdeviceFunction(name))
      return Value(
          constant::Value::extension(std::make_shared<LibdeviceObject>(std::string(name))));
    return std::nullopt;
  }
  static constexpr std::string_view kBackends[] = {"cuda", "hip", "intel", "xpu", "mlu", "musa"};
  bool isBackend =
      path == "triton.language.extra" && std::ranges::find(kBackends, name) != std::end(kBackends);
  if (isBackend || isLibdeviceModule(whole))
    return moduleValue(std::move(whole));
  if (isBackendModule(path) || path == "triton.language.target_info") {
    std::string family = path.ends_with("target_info") ? "target_info." : "cuda.";
    if (const Builtin *builtin = findBuiltin(family + std::string(name)))
      return builtinValue(*builtin);
    return std::nullopt;
  }
  if (path == "math") {
    if (std::optional<constant::Value> value = constant::mathConstant(name))
      return Value(*value);
    if (constant::isMathFunction(name))
      return Value(constant::Value::extension(
          std::make_shared<HostFunctionObject>("math." + std::string(name))));
  }
  return std::nullopt;
}

static bool isKnownModule(std::string path) { return ModuleObject(std::move(path)).isKnown(); }

Value Emitter::importValue(const SourceModule &module, const Binding &binding) {
  if (binding.level == 0 && isKnownModule(binding.module)) {
    if (binding.member.empty())
      return moduleValue(binding.module);
    std::string path = binding.module + "." + binding.member;
    if (path == "triton.language" || isLibdeviceModule(path) || path == "triton.language.extra" ||
        path == "triton.language.math" || isBackendModule(path))
      return moduleValue(path);
    if (std::optional<Value> value = member(ModuleObject(binding.module), binding.member))
      return *value;
    return moduleValue(path);
  }
  if (!binding.member.empty()) {
    if (const SourceModule *source = m_modules.import(module, binding.module, binding.level))
      if (std::optional<Value> value = global(*source, binding.member))
        return *value;
    // `from package import module`
    std::string dotted =
        binding.module.empty() ? binding.member : binding.module + "." + binding.member;
    if (const SourceModule *source = m_modules.import(module, dotted, binding.level))
      return constant::Value::extension(std::make_shared<SourceModuleObject>(*source));
    if (isHostPath(dotted))
      return hostMember(dotted, ops.rules());
    if (binding.member == "HAS_TRITON")
      return Value::boolean(true);
    return shimmedLibdevice(dotted).value_or(moduleValue(dotted));
  }
  if (const SourceModule *source = m_modules.import(module, binding.module, binding.level))
    return constant::Value::extension(std::make_shared<SourceModuleObject>(*source));
  return moduleValue(binding.module);
}

Value Emitter::evaluateBinding(const SourceModule &module, const Binding &binding) {
  switch (binding.kind) {
  case Binding::Kind::Import:
    return importValue(module, binding);
  case Binding::Kind::Function:
    return functionValue(module, *binding.function);
  case Binding::Kind::Assignment:
    try {
      return evaluateGlobal(module, *binding.value);
    } catch (const Failure &) {
      if (std::optional<Value> shimmed = shimmedLibdevice(resolveDotted(module, *binding.value)))
        return *shimmed;
      throw;
    }
  case Binding::Kind::Class:
    return constant::Value::extension(makeClass(module, *binding.type));
  }
  llvm_unreachable("all kinds are handled");
}

/// What `from module import *` brings; the last such statement counts.
std::optional<Value> Emitter::starImported(const SourceModule &module, std::string_view name) {
  for (const Binding &import : llvm::reverse(module.starImports)) {
    if (import.level == 0 && isKnownModule(import.module)) {
      if (std::optional<Value> value = member(ModuleObject(import.module), name))
        return value;
    } else if (const SourceModule *source = m_modules.import(module, import.module, import.level)) {
      if (std::optional<Value> value = global(*source, name))
        return value;
    }
  }
  return std::nullopt;
}

std::optional<Value> Emitter::global(const SourceModule &module, std::string_view name) {
  auto binding = module.bindings.find(name);
  if (auto known = module.values.find(name); known != module.values.end()) {
    if (!known->second.isPoison())
      return known->second;
    // Poison guards what is being evaluated: it is not there yet, but what it replaces may be.
    if (binding == module.bindings.end() || !binding->second.before)
      return std::nullopt;
    return evaluateBinding(module, *binding->second.before);
  }
  if (binding == module.bindings.end())
    return starImported(module, name);
  module.values[name] = Value::poison();
  Value value;
  try {
    value = evaluateBinding(module, binding->second);
  } catch (...) {
    module.values.erase(name);
    throw;
  }
  module.values[name] = value;
  return value;
}

Value Emitter::evaluateGlobal(const SourceModule &module, const ast::Expr &expr) {
  return inModule(module, [&] { return evaluate(expr); });
}

/// `tl.constexpr(...)`, perhaps only where Triton is installed: `tl.constexpr(x) if HAS_TRITON else
/// x`; and what is calculated from one, as `2 * BLOCK`.
static bool makesConstexpr(const SourceModule &module, const ast::Expr &value) {
  auto makes = [&](const ast::Expr *part) { return makesConstexpr(module, *part); };
  if (const auto *choice = ast::as<ast::IfExp>(&value))
    return makes(choice->body) || makes(choice->orelse);
  if (const auto *binary = ast::as<ast::BinOp>(&value))
    return makes(binary->left) || makes(binary->right);
  if (const auto *unary = ast::as<ast::UnaryOp>(&value))
    return makes(unary->operand);
  if (const auto *compare = ast::as<ast::Compare>(&value))
    return makes(compare->left) || std::ranges::any_of(compare->comparators, makes);
  if (const auto *name = ast::as<ast::Name>(&value)) {
    auto binding = module.bindings.find(name->id);
    return binding != module.bindings.end() && binding->second.kind == Binding::Kind::Assignment &&
           makes(binding->second.value);
  }
  const auto *call = ast::as<ast::Call>(&value);
  std::string callee = call ? resolveDotted(module, *call->func) : "";
  return callee == "triton.language.constexpr" || callee == "triton.language.core.constexpr";
}

/// Whether the global is a `tl.constexpr(...)` object, or one of the things that need not be.
static bool isUsableGlobal(const SourceModule &module, const Binding &binding, const Value &value) {
  if (binding.kind != Binding::Kind::Assignment || binding.isAnnotated)
    return true;
  if (value.isNone() ||
      (value.constant() && (value.constant()->isDType() || value.constant()->isExtension())))
    return true;
  return makesConstexpr(module, *binding.value);
}

/// The scope whose names are visible in `scope` too.
static const SourceModule *outerNames(const SourceModule &scope) {
  return scope.outer ? &namesOf(*scope.outer) : nullptr;
}

Value Emitter::lookUp(const ast::Name &name) {
  if (const Value *local = m_frame->locals.find(name.id))
    return *local;
  for (const SourceModule *scope = m_frame->module; scope; scope = outerNames(*scope)) {
    const SourceModule &module = *scope;
    auto binding = module.bindings.find(name.id);
    if (binding == module.bindings.end()) {
      if (std::optional<Value> value = starImported(module, name.id))
        return *value;
      continue;
    }
    std::optional<Value> value;
    try {
      value = global(module, name.id);
    } catch (const Failure &failure) {
      fail(DiagnosticKind::GlobalNotConstexpr,
           "the value of the global `" + std::string(name.id) +
               "` cannot be determined: " + failure.diagnostic.message);
    }
    if (!value)
      fail(DiagnosticKind::GlobalNotConstexpr,
           "`" + std::string(name.id) + "` is defined in terms of itself");
    const bool isHost = m_frame->isModuleLevel || m_frame->isCompileTime;
    if (!isHost && !isUsableGlobal(module, binding->second, *value)) {
      Diagnostic diagnostic;
      diagnostic.kind = DiagnosticKind::GlobalNotConstexpr;
      diagnostic.range = m_range;
      diagnostic.message = "cannot access global variable `" + std::string(name.id) +
                           "` from within a `@triton.jit` function: a kernel reads only globals "
                           "that are `tl.constexpr(...)` objects";
      SourceRange place = binding->second.value->range;
      place.file = module.file;
      std::string text(module.tree->text(binding->second.value->range));
      diagnostic.labels.push_back({place, "defined here"});
      diagnostic.fixes.push_back(
          {place, "tl.constexpr(" + text + ")", "make `" + std::string(name.id) + "` a constexpr"});
      throw Failure{std::move(diagnostic)};
    }
    if (binding->second.isAnnotated && !makesConstexpr(module, *binding->second.value))
      warnUnportable(*this, "the global `" + std::string(name.id) +
                                "` is annotated, but is not a `tl.constexpr(...)` object");
    return *value;
  }
  if (const Builtin *builtin = findBuiltin("builtins." + std::string(name.id)))
    return builtinValue(*builtin);
  if (std::optional<constant::Value> builtin = constant::findBuiltin(name.id)) {
    if (!isPortableBuiltin(name.id))
      warnUnportableFunction(*this, std::string(name.id));
    return Value(*builtin);
  }
  // That line is what is wrong.
  if (m_frame->module->tree && ast::isOfBrokenLine(*m_frame->module->tree, name.id))
    throw PoisonUsed{};
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.range = m_range;
  diagnostic.message = "`" + std::string(name.id) + "` is not defined";
  if (!isReported(diagnostic))
    explainUndefined(diagnostic, name.id, *m_frame);
  // Of a missing import it is enough to speak once.
  const bool isKnown = std::ranges::any_of(m_diagnostics, [&](const Diagnostic &other) {
    return other.message == diagnostic.message && other.fixes == diagnostic.fixes;
  });
  if (isKnown && diagnostic.cause.need == Need::Import)
    throw PoisonUsed{};
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
