// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What names and attributes stand for: locals, then globals of the file, then builtins.
#include "compiler/constant/Builtins.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Classes.h"
#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/HostEnvironment.h"
#include "compiler/frontend/Libdevice.h"
#include "compiler/frontend/Portability.h"
#include "compiler/frontend/Prelude.h"
#include "compiler/frontend/Suggestions.h"

#include <algorithm>
#include <array>
#include <tuple>

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

/// A function of libdevice behind a library's own module for it, e.g. `pack.tl_extra_shim.pow`,
/// which finds out at run time what to take.
static std::optional<Value> shimmedLibdevice(std::string_view path) {
  size_t dot = path.rfind('.');
  std::string_view module = path.substr(0, dot == std::string_view::npos ? 0 : dot);
  bool isShim = module.find("extra") != std::string_view::npos ||
                module.find("libdevice") != std::string_view::npos;
  std::string name(path.substr(module.empty() ? 0 : dot + 1));
  if (!isShim || !hasLibdeviceFunction(name))
    return std::nullopt;
  return Value(constant::Value::extension(std::make_shared<LibdeviceObject>(std::move(name))));
}

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

static constexpr const char *kTwoDimensions =
    "offsets with two dimensions load a block of two: `i[:, None]` for those that go down, "
    "`j[None, :]` for those that go right";

/// `x.dtype`, `x.shape`, … of a run-time value.
static std::optional<Value> tensorAttribute(Emitter &emitter, const Tensor &tensor,
                                            std::string_view name) {
  if (name == "dtype")
    return Value(constant::Value::dtype(constant::DType::of(tensor.type.scalar)));
  if (name == "type") {
    constant::DType scalar = constant::DType::of(tensor.type.scalar);
    if (!tensor.isBlock())
      return Value(constant::Value::dtype(scalar));
    return Value(constant::Value::dtype(
        constant::DType::block(scalar, {tensor.type.shape.begin(), tensor.type.shape.end()})));
  }
  if (name == "shape") {
    std::vector<Value> extents;
    for (int64_t extent : tensor.type.shape)
      extents.push_back(Value::integer(extent));
    return Value::tuple(std::move(extents));
  }
  if (name == "numel")
    return Value::integer(tensor.type.numElements());
  if (name == "T") {
    if (tensor.type.shape.size() != 2)
      emitter.failAt(emitter.currentRange(), DiagnosticKind::BadArgument,
                     Message("`.T` needs a block of rank 2, got {}", tensor.type).needs(Need::Rank),
                     tensor.type.shape.size() == 1 ? std::vector<std::string>{kTwoDimensions}
                                                   : std::vector<std::string>());
    return Value(emitter.ops.permute(tensor, {1, 0}));
  }
  return std::nullopt;
}

static Value tupleOf(const std::vector<Tensor> &tensors) {
  return Value::tuple({tensors.begin(), tensors.end()});
}

/// `tl.dtype.KIND.INTEGRAL` and the like, which are numbers here.
static std::optional<Value> dtypeEnumeration(const TypeObject &type, std::string_view name) {
  static constexpr std::array<std::tuple<std::string_view, std::string_view, int>, 5> kMembers{
      {{"dtype.SIGNEDNESS", "SIGNED", 0},
       {"dtype.SIGNEDNESS", "UNSIGNED", 1},
       {"dtype.KIND", "BOOLEAN", 0},
       {"dtype.KIND", "INTEGRAL", 1},
       {"dtype.KIND", "FLOATING", 2}}};
  for (const auto &[enumeration, member, number] : kMembers)
    if (type.name == enumeration && name == member)
      return Value::integer(number);
  if (type.name == "dtype" && (name == "SIGNEDNESS" || name == "KIND"))
    return Value(
        constant::Value::extension(std::make_shared<TypeObject>("dtype." + std::string(name))));
  return std::nullopt;
}

static bool isDecorator(std::string_view module, std::string_view name) {
  return module == "triton" && (name == "jit" || name == "autotune" || name == "heuristics");
}

static Message missingMember(const Value &base, std::string_view name) {
  if (base.constant())
    if (const auto *module = base.constant()->as<ModuleObject>())
      return isDecorator(module->path, name)
                 ? Message("`triton.{}` decorates functions: a kernel cannot use it", name)
                 : Message("module `{}` has no attribute `{}`", module->path, name)
                       .needs(Need::Import);
  // Only pointers have an element type.
  return Message("{} has no attribute `{}`", base, name)
      .needs(name == "element_ty" ? Need::Pointer : Need::Nothing);
}

Value Emitter::attribute(const Value &base, std::string_view name, SourceRange nameRange) {
  std::optional<Value> found;
  if (const Tensor *tensor = base.tensor()) {
    found = tensorAttribute(*this, *tensor, name);
  } else if (const TupleValue *tuple = base.asTuple()) {
    for (size_t i = 0; i < tuple->fields.size(); ++i)
      if (tuple->fields[i] == name)
        found = tuple->items[i];
    if (const ClassObject *type = found ? nullptr : classOf(base))
      found = classMember(*type, name);
  } else if (const TensorDescriptor *descriptor = base.descriptor()) {
    const Type &block = descriptor->blockType;
    if (name == "shape")
      found = tupleOf(descriptor->shape);
    else if (name == "strides")
      found = tupleOf(descriptor->strides);
    else if (name == "dtype")
      found = Value(constant::Value::dtype(constant::DType::of(block.scalar)));
    else if (name == "block_shape") {
      std::vector<Value> extents;
      for (int64_t extent : block.shape)
        extents.push_back(Value::integer(extent));
      found = Value::tuple(std::move(extents));
    } else if (name == "type" || name == "block_type") {
      found = Value(constant::Value::dtype(constant::DType::block(
          constant::DType::of(block.scalar), {block.shape.begin(), block.shape.end()})));
    }
  } else if (const BlockPointer *pointer = base.blockPointer()) {
    if (name == "dtype" || name == "type")
      found = Value(constant::Value::dtype(constant::DType::pointerTo(
          constant::DType::block(constant::DType::of(pointer->base.type.scalar.pointee()),
                                 {pointer->blockShape.begin(), pointer->blockShape.end()}))));
  } else if (const constant::Value *value = base.constant()) {
    if (const auto *module = value->as<ModuleObject>())
      found = member(*module, name);
    else if (const auto *source = value->as<SourceModuleObject>())
      found = global(source->module, name);
    else if (const auto *type = value->as<ClassObject>())
      found = classMember(*type, name);
    else if (const auto *type = value->as<TypeObject>();
             type && type->name == "PropagateNan" && (name == "NONE" || name == "ALL"))
      found = Value(constant::Value::string(name == "ALL" ? "all" : "none"));
    else if (type && type->name.starts_with("dtype"))
      found = dtypeEnumeration(*type, name);
    else if (name == "value" && !value->isExtension())
      found = base;
    else if (!value->isExtension())
      if (constant::ValueOrError result = constant::getAttribute(*value, name))
        found = Value(*result);
  }
  if (found)
    return *found;
  if (const auto *module = base.constant() ? base.constant()->as<ModuleObject>() : nullptr;
      module && !module->isKnown()) {
    std::string path = module->path + "." + std::string(name);
    if (std::optional<Value> shimmed = shimmedLibdevice(path))
      return *shimmed;
    if (asksForDevice(path))
      return moduleValue(std::move(path));
    failImport(path);
  }
  // Nothing is typed behind the dot yet, which the parser has said.
  if (name.empty())
    throw PoisonUsed{};
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnknownAttribute;
  diagnostic.range = nameRange;
  missingMember(base, name).writeTo(diagnostic);
  if (!isReported(diagnostic))
    explainMember(diagnostic, base, name, *m_frame);
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
