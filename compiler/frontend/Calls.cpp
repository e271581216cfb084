// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Calls: arguments are bound to parameters; the body of the callee is expanded in place.
#include "compiler/constant/Builtins.h"
#include "compiler/constant/Operators.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Classes.h"
#include "compiler/frontend/Counterparts.h"
#include "compiler/frontend/HostEnvironment.h"
#include "compiler/frontend/Libdevice.h"
#include "compiler/frontend/Portability.h"
#include "compiler/frontend/Recovery.h"
#include "compiler/frontend/ShapeArguments.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/frontend/Suggestions.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

static constexpr int kMaxCallDepth = 128;

/// An argument with an error is poison: the others, and how they fit the parameters, are still
/// checked.
std::vector<CallArgument> Emitter::evaluateArguments(const ast::Call &call) {
  Recovery recovery(*this);
  std::vector<CallArgument> arguments;
  arguments.reserve(call.args.size() + call.keywords.size());
  for (const ast::Expr *argument : call.args) {
    SourceRange range = fileRange(argument->range);
    if (const auto *starred = ast::as<ast::Starred>(argument)) {
      for (Value &item : items(evaluate(*starred->value)))
        arguments.push_back({std::move(item), range, {}});
    } else {
      arguments.push_back({recovery.value(*argument), range, {}});
    }
  }
  for (const ast::Keyword *keyword : call.keywords) {
    if (!keyword->arg)
      failAt(fileRange(keyword->range), DiagnosticKind::UnsupportedSyntax,
             "`**` arguments are not supported");
    arguments.push_back(
        {recovery.value(*keyword->value), fileRange(keyword->value->range), *keyword->arg});
  }
  return arguments;
}

static bool isData(const Value &value) {
  const constant::Value *constant = value.constant();
  return !constant || !constant->isExtension();
}

Value Emitter::evaluateCall(const ast::Call &call) {
  Recovery recovery(*this);
  Value callee;
  if (const auto *access = ast::as<ast::Attribute>(call.func)) {
    Value self = recovery.value(*access->value);
    if (self.isPoison()) {
      evaluateArguments(call);
    } else if (isData(self)) {
      std::vector<CallArgument> arguments = evaluateArguments(call);
      if (std::optional<Value> result = method(self, access->attr, arguments, m_range))
        return *result;
      // A field of a tuple may hold a function.
      callee = attribute(self, access->attr, fileRange(access->attrRange));
      return this->call(callee, std::move(arguments), m_range);
    }
    recovery.finish();
    callee =
        recovery.value([&] { return attribute(self, access->attr, fileRange(access->attrRange)); });
    record(*call.func, callee, false);
  } else {
    callee = recovery.value(*call.func);
  }
  std::vector<CallArgument> arguments = evaluateArguments(call);
  recovery.finish();
  return this->call(callee, std::move(arguments), m_range);
}

/// For functions on constexprs alone.
static constant::Value::Items requireConstants(Emitter &emitter, std::string_view callee,
                                               const std::vector<CallArgument> &arguments,
                                               constant::Keywords &keywords) {
  constant::Value::Items values;
  for (const CallArgument &argument : arguments) {
    std::optional<constant::Value> value = argument.value.toConstant();
    if (!value)
      emitter.failAt(argument.range, DiagnosticKind::NotConstexpr,
                     {"`{}` needs constexprs, got {}", callee, argument.value},
                     counterpartNotes(callee));
    if (argument.keyword.empty())
      values.push_back(std::move(*value));
    else
      keywords.emplace_back(argument.keyword, std::move(*value));
  }
  return values;
}

static Value callType(Emitter &emitter, const TypeObject &type,
                      const std::vector<CallArgument> &arguments) {
  constant::Keywords keywords;
  if (type.name == "constexpr") {
    if (arguments.size() != 1)
      emitter.fail(DiagnosticKind::BadCall, "`tl.constexpr` takes one argument");
    // Around a run-time value it means nothing.
    return arguments.front().value;
  }
  if (type.name == "dtype") {
    constant::Value::Items values = requireConstants(emitter, "tl.dtype", arguments, keywords);
    if (values.size() == 1 && values.front().isStr()) {
      if (const auto dtype = constant::dtypeNamed(values.front().str()))
        return Value(constant::Value::dtype(*dtype));
    }
  }
  if (type.name == "tuple" && arguments.size() == 1)
    return Value::tuple(emitter.items(arguments.front().value));
  if (type.name == "condition" && !arguments.empty())
    return arguments.front().value;
  if (type.name == "pointer_type" && !arguments.empty()) {
    constant::Value::Items values = requireConstants(emitter, type.name, arguments, keywords);
    if (!values.empty() && values.front().isDType()) {
      int64_t space = values.size() > 1 ? values[1].toInt64().value_or(1) : 1;
      return Value(constant::Value::dtype(
          constant::DType::pointerTo(values.front().dtype(), static_cast<int>(space))));
    }
  }
  if (type.name == "block_type") {
    constant::Value::Items values = requireConstants(emitter, type.name, arguments, keywords);
    if (values.size() == 2 && values[0].isDType() && values[1].isSequence()) {
      std::vector<int64_t> extents;
      for (const constant::Value &extent : values[1].items())
        extents.push_back(extent.toInt64().value_or(0));
      emitter.ops.checkShape(extents);
      return Value(constant::Value::dtype(constant::DType::block(values[0].dtype(), extents)));
    }
  }
  if (type.name == "range" || type.name == "static_range")
    emitter.fail(DiagnosticKind::UnsupportedSyntax,
                 "`tl." + type.name + "` can only be used as the iterator of a `for` loop");
  emitter.fail(DiagnosticKind::UnsupportedFeature,
               "`tl." + type.name + "` cannot be called in a kernel");
}

/// `f = triton.constexpr_function(g)`. A function of the language runs while compiling as it is.
static Value constexprFunction(Emitter &emitter, const std::string &path,
                               const std::vector<CallArgument> &arguments) {
  const constant::Value *argument =
      arguments.size() == 1 ? arguments.front().value.constant() : nullptr;
  if (argument && argument->as<BuiltinObject>())
    return arguments.front().value;
  const auto *function = argument ? argument->as<FunctionObject>() : nullptr;
  if (!function)
    emitter.fail(DiagnosticKind::BadCall, "`" + path + "` needs a function");
  return Value(constant::Value::extension(std::make_shared<FunctionObject>(
      function->module, function->definition, FunctionObject::Kind::Constexpr)));
}

Value Emitter::call(const Value &callee, std::vector<CallArgument> arguments, SourceRange range) {
  const constant::Value *target = callee.constant();
  if (!target)
    fail(DiagnosticKind::BadCall, Message("{} is not callable", callee).needs(Need::Function));
  if (const auto *function = target->as<FunctionObject>())
    return callFunction(*function, std::move(arguments), range);
  if (const auto *object = target->as<BuiltinObject>()) {
    // An argument that Python code of the language passes on to reach the compiler.
    if (m_frame->isCompileTime)
      std::erase_if(arguments, [](const CallArgument &argument) {
        return argument.keyword == "_builder" || argument.keyword == "_semantic";
      });
    return callBuiltin(*this, object->builtin, std::move(arguments), range);
  }
  if (hasPoison(arguments))
    throw PoisonUsed{};
  if (const auto *object = target->as<LibdeviceObject>())
    return callLibdevice(*this, object->name, arguments);
  if (const auto *type = target->as<TypeObject>())
    return callType(*this, *type, arguments);
  if (target->as<ClassObject>())
    return construct(std::static_pointer_cast<const ClassObject>(target->sharedExtension()),
                     std::move(arguments), range);
  if (target->isDType() && arguments.size() == 1) {
    // `tl.float32(x)` is a cast.
    arguments.push_back({callee, range, "dtype"});
    return callBuiltin(*this, *findBuiltin("cast"), std::move(arguments), range);
  }
  constant::Keywords keywords;
  if (const auto *host = target->as<HostFunctionObject>();
      host && host->path.starts_with("triton."))
    return constexprFunction(*this, host->path, arguments);
  if (const auto *host = target->as<HostFunctionObject>())
    return orFail(constant::callMath(host->path.substr(host->path.find('.') + 1),
                                     requireConstants(*this, host->path, arguments, keywords)));
  if (target->isBuiltin()) {
    checkCompileTime(*this, target->str(), arguments, range);
    constant::Value::Items values = requireConstants(*this, target->str(), arguments, keywords);
    return orFail(constant::callBuiltin(target->str(), values, keywords));
  }
  const auto *module = target->as<ModuleObject>();
  if (module) {
    std::vector<Value> values;
    for (const CallArgument &argument : arguments)
      values.push_back(argument.value);
    if (std::optional<Value> answer = callHost(module->path, values, ops.rules()))
      return *answer;
  }
  if (module && module->path == "collections.namedtuple")
    return constant::Value::extension(makeNamedTuple(*this, arguments));
  if (module && !module->isKnown())
    failImport(module->path);
  fail(DiagnosticKind::BadCall, Message("{} is not callable", callee).needs(Need::Function));
}

/// `x.__add__(y)`
static std::optional<ast::BinaryOpKind> operatorOf(std::string_view name) {
  using enum ast::BinaryOpKind;
  static constexpr std::pair<std::string_view, ast::BinaryOpKind> kOperators[] = {
      {"__add__", Add},     {"__sub__", Sub},           {"__mul__", Mult},     {"__mod__", Mod},
      {"__truediv__", Div}, {"__floordiv__", FloorDiv}, {"__and__", BitAnd},   {"__or__", BitOr},
      {"__xor__", BitXor},  {"__lshift__", LShift},     {"__rshift__", RShift}};
  for (auto [known, op] : kOperators)
    if (name == known)
      return op;
  return std::nullopt;
}

std::optional<Value> Emitter::method(const Value &self, std::string_view name,
                                     std::vector<CallArgument> &arguments, SourceRange range) {
  auto withSelf = [&] {
    std::vector<CallArgument> all{{self, range, {}}};
    all.insert(all.end(), std::make_move_iterator(arguments.begin()),
               std::make_move_iterator(arguments.end()));
    return all;
  };
  if (std::optional<ast::BinaryOpKind> op = operatorOf(name);
      op && self.tensor() && !hasPoison(arguments) && arguments.size() == 1)
    return binary(*op, self, arguments.front().value);
  if (self.tensor() || self.blockPointer() || self.descriptor()) {
    std::string prefix = self.descriptor() ? "descriptor." : "";
    if (const Builtin *builtin = findBuiltin(prefix + std::string(name));
        builtin && (builtin->isMethod || self.descriptor()))
      return callBuiltin(*this, *builtin, withSelf(), range);
    if (isPreludeMethod(name))
      return callPrelude(name, withSelf(), range);
    return std::nullopt;
  }
  if (const ClassObject *type = classOf(self)) {
    std::optional<Value> found = classMember(*type, name);
    const auto *function =
        found && found->constant() ? found->constant()->as<FunctionObject>() : nullptr;
    if (!function)
      return std::nullopt;
    return callFunction(*function, function->isStatic ? std::move(arguments) : withSelf(), range);
  }
  if (self.asTuple())
    return std::nullopt;
  const constant::Value &value = *self.constant();
  if (value.isNumber() && !constant::hasMethod(value, name)) {
    // A constexpr has the methods of tensors too: it becomes one.
    if (const Builtin *builtin = findBuiltin(name); builtin && builtin->isMethod)
      return callBuiltin(*this, *builtin, withSelf(), range);
    return std::nullopt;
  }
  if (!constant::hasMethod(value, name))
    return std::nullopt;
  if (hasPoison(arguments))
    throw PoisonUsed{};
  constant::Keywords keywords;
  constant::Value::Items values = requireConstants(*this, name, arguments, keywords);
  return Value(orFail(constant::callMethod(value, name, values, keywords)));
}

Value Emitter::callPrelude(std::string_view name, std::vector<CallArgument> arguments,
                           SourceRange range) {
  const SourceModule *module = m_modules.preludeWith(name);
  std::optional<Value> function = module ? global(*module, name) : std::nullopt;
  if (!function)
    fail(DiagnosticKind::Internal, "the prelude has no `" + std::string(name) + "`");
  return call(*function, std::move(arguments), range);
}

/// Points at a function that the user wrote.
static std::vector<DiagnosticLabel> definitionLabel(const FunctionObject &function) {
  if (function.module.isPrelude)
    return {};
  SourceRange place = function.definition.nameRange;
  place.file = function.module.file;
  return {{place, "defined here"}};
}

/// The arguments of a call do not fit the function.
[[noreturn]] static void failBinding(const FunctionObject &function, SourceRange range,
                                     const std::string &message) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadCall;
  diagnostic.range = range;
  diagnostic.message = "`" + std::string(function.definition.name) + "` " + message;
  diagnostic.labels = definitionLabel(function);
  throw Failure{std::move(diagnostic)};
}

static std::vector<std::string_view> namesOf(const std::vector<const ast::Arg *> &parameters) {
  std::vector<std::string_view> names;
  for (const ast::Arg *parameter : parameters)
    names.push_back(parameter->arg);
  return names;
}

void Emitter::bindParameters(const FunctionObject &function, std::vector<CallArgument> arguments,
                             Frame &callee) {
  const ast::Arguments &declared = *function.definition.args;
  std::vector<const ast::Arg *> parameters = parametersOf(function.definition);
  if (function.module.isPrelude)
    checkShapeArguments(*this, "`" + std::string(function.definition.name) + "`",
                        namesOf(parameters), arguments);
  size_t numPositional = parameters.size() - declared.kwonlyargs.size();
  std::vector<std::optional<Value>> values(parameters.size());
  std::vector<Value> rest;
  size_t position = 0;
  const auto numGiven = llvm::count_if(
      arguments, [](const CallArgument &argument) { return argument.keyword.empty(); });
  for (CallArgument &argument : arguments) {
    if (!argument.keyword.empty())
      continue;
    if (position < numPositional) {
      values[position++] = std::move(argument.value);
    } else if (declared.vararg) {
      rest.push_back(std::move(argument.value));
    } else {
      failBinding(function, argument.range,
                  "takes " + std::to_string(numPositional) + " positional arguments, but " +
                      std::to_string(numGiven) + " are given");
    }
  }
  for (CallArgument &argument : arguments) {
    if (argument.keyword.empty())
      continue;
    size_t index = 0;
    while (index < parameters.size() && parameters[index]->arg != argument.keyword)
      ++index;
    if (index == parameters.size())
      failKeyword(*this, argument, "`" + std::string(function.definition.name) + "`",
                  namesOf(parameters), definitionLabel(function));
    if (values[index])
      failBinding(function, argument.range,
                  "got several values for `" + std::string(argument.keyword) + "`");
    values[index] = std::move(argument.value);
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ast::Arg &parameter = *parameters[i];
    if (!values[i]) {
      const ast::Expr *fallback = nullptr;
      if (i >= numPositional)
        fallback = declared.kwDefaults[i - numPositional];
      else if (i + declared.defaults.size() >= numPositional)
        fallback = declared.defaults[i + declared.defaults.size() - numPositional];
      if (!fallback)
        failBinding(function, m_range,
                    "is missing the argument `" + std::string(parameter.arg) + "`");
      values[i] = evaluateGlobal(function.module, *fallback);
    }
    callee.locals.set(parameter.arg, std::move(*values[i]));
  }
  if (declared.vararg)
    callee.locals.set(declared.vararg->arg, Value::tuple(std::move(rest)));
}

void Emitter::enterFrame(Frame &callee, SourceRange callRange) {
  callee.caller = m_frame;
  callee.callRange = callRange;
  callee.depth = m_frame->depth + 1;
  if (callee.depth <= kMaxCallDepth && m_numErrors == 0)
    return;
  std::string endless =
      "`" + std::string(callee.function->name) +
      "` is expanded inside itself too often: recursion must end by a constexpr condition";
  // Once is enough: on the way back every level would go down again for each of its other calls.
  if (std::ranges::any_of(m_diagnostics, [&](const Diagnostic &diagnostic) {
        return diagnostic.kind == DiagnosticKind::RecursionTooDeep && diagnostic.message == endless;
      }))
    throw PoisonUsed{};
  if (callee.depth > kMaxCallDepth)
    fail(DiagnosticKind::RecursionTooDeep, std::move(endless));
}

Value Emitter::expandBody(Frame &callee) {
  struct Restore {
    Emitter &emitter;
    Frame *frame;
    SourceRange range;
    mlir::StringAttr name;
    ~Restore() {
      emitter.m_frame = frame;
      emitter.m_range = range;
      emitter.m_name = name;
    }
  } restore{*this, m_frame, m_range, m_name};
  if (!callee.isCompileTime)
    callee.callLocation = location();
  m_frame = &callee;
  m_name = {};
  m_range = fileRange(callee.function->nameRange);
  keepParameters();
  Outcome outcome = emitStatements(callee.function->body, /*isTail=*/true);
  if (outcome.value.isPoison())
    throw PoisonUsed{};
  // A path that falls off the end of a function which returns a value elsewhere returns an
  // undefined value, and the value of the other return is as good as any.
  return outcome.value;
}

/// `@core.extern`: Python that runs at compile time, but on run-time values, to name a function of
/// a library.
static bool isExtern(const FunctionObject &function) {
  return std::ranges::any_of(function.definition.decoratorList, [&](const ast::Expr *decorator) {
    std::string name = resolveDotted(function.module, *decorator);
    return name == "triton.language.core.extern" || name == "triton.language.extern";
  });
}

Value Emitter::callFunction(const FunctionObject &function, std::vector<CallArgument> arguments,
                            SourceRange range) {
  std::string name(function.definition.name);
  const bool takesValues = function.kind == FunctionObject::Kind::Jit || isExtern(function);
  const bool isPoisoned = hasPoison(arguments);
  if (isPoisoned && function.kind != FunctionObject::Kind::Jit)
    throw PoisonUsed{};
  bool isConstant = std::ranges::all_of(
      arguments, [](const CallArgument &argument) { return argument.value.isConstexpr(); });
  if (function.kind == FunctionObject::Kind::Plain && !takesValues && !isConstant &&
      !m_frame->isModuleLevel && !m_frame->isCompileTime) {
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::PlainFunction;
    diagnostic.range = m_range;
    diagnostic.message = "unsupported function referenced: `" + name +
                         "` is a plain Python function: it can be called on constexprs only";
    diagnostic.notes.push_back("decorate it with `@triton.jit`");
    diagnostic.labels = definitionLabel(function);
    throw Failure{std::move(diagnostic)};
  }
  if (!takesValues && function.kind == FunctionObject::Kind::Plain && !m_frame->isModuleLevel)
    warnUnportable(*this, "the plain Python function `" + name + "` in a kernel");
  Frame callee;
  callee.module = &function.module;
  callee.function = &function.definition;
  callee.isCompileTime = function.kind != FunctionObject::Kind::Jit || m_frame->isCompileTime;
  if (!takesValues)
    for (const CallArgument &argument : arguments)
      if (!argument.value.isConstexpr())
        failAt(argument.range, DiagnosticKind::NotConstexpr,
               {"`{}` runs at compile time and needs constexprs, got {}", name, argument.value});
  bindParameters(function, std::move(arguments), callee);
  if (isPoisoned)
    throw PoisonUsed{};
  if (m_options.callObserved)
    m_options.callObserved(callee);
  enterFrame(callee, range);
  if (function.isNoinline && !callee.isCompileTime)
    return callNoinline(function, callee);
  return expandBody(callee);
}

} // namespace tilescope::compiler::frontend
